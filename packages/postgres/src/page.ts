import type { Page, PageQuery } from '@quipu/core'
import { type IdPrefix, lowestId, type PagePosition } from '@quipu/core/adapter'

/** The parameters of a keyset page: the row it begins after, and one row more than is shown. */
export const keysetOf = ({
  after,
  limit,
}: PageQuery): [createdAt: Date | string, id: string, rows: number] => [
  after?.createdAt ?? 'infinity',
  after?.id ?? '',
  limit + 1,
]

/**
 * A keyset page of what sorts by its id as it was created, to the millisecond: every bound in time
 * is then one of ids. `to` is inclusive, in whole milliseconds.
 */
export function idBoundsOf(
  prefix: IdPrefix,
  { after, from, to }: PageQuery & { readonly from?: Date; readonly to?: Date },
): [before: string, since: string] {
  const end = to ? lowestId(prefix, new Date(to.getTime() + 1)) : `${prefix}_~`
  const since = from ? lowestId(prefix, from) : ''
  return [after !== undefined && after.id < end ? after.id : end, since]
}

/** A page of at most `limit` rows. One row more than that says that there is another page. */
export function pageOf<T extends PagePosition>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next = last && rows.length > limit ? { createdAt: last.createdAt, id: last.id } : null
  return { items, next }
}

/**
 * How many rows a page reads at most where a filter has no index of its own. A tenant whose rows hardly
 * ever match gets pages with fewer rows than it asked for, and reads on after them: no page takes long.
 */
export const scannedMax = 2_000

/**
 * As `pageOf`, for a page that may have ended for want of further reading.
 *
 * @param lastScanned reads the last row that such a page may look at; undefined when there are fewer
 */
export async function scannedPageOf<T extends PagePosition>(
  rows: readonly T[],
  limit: number,
  lastScanned: () => Promise<PagePosition | undefined>,
): Promise<Page<T>> {
  const page = pageOf(rows, limit)
  const scanned = rows.length > limit ? undefined : await lastScanned()
  if (scanned === undefined) return page
  // Rows that were added meanwhile let it stop earlier; never before the last one that is shown.
  const last = page.items.at(-1)
  const next = last !== undefined && isOlder(last, scanned) ? last : scanned
  return { items: page.items, next: { createdAt: next.createdAt, id: next.id } }
}

const isOlder = (a: PagePosition, b: PagePosition): boolean =>
  a.createdAt < b.createdAt || (a.createdAt.getTime() === b.createdAt.getTime() && a.id < b.id)
