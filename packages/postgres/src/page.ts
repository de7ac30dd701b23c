import type { Page, PageQuery } from '@quipu/core'
import { type IdPrefix, lowestId, type PagePosition } from '@quipu/core/adapter'

/** The parameters of a keyset page: the row after which it begins, and one row more than the page shows. */
export const keysetOf = ({ after, limit }: PageQuery): [createdAt: Date | string, id: string, rows: number] => [
  after?.createdAt ?? 'infinity',
  after?.id ?? '',
  limit + 1,
]

/**
 * The bounds of a keyset page over ids that begin with their creation instant, to the millisecond: turns
 * bounds in time into bounds of ids. `to` is inclusive, in whole milliseconds.
 */
export function idBoundsOf(
  prefix: IdPrefix,
  { after, from, to }: PageQuery & { readonly from?: Date; readonly to?: Date },
): [before: string, since: string] {
  const end = to ? lowestId(prefix, new Date(to.getTime() + 1)) : `${prefix}_~`
  const since = from ? lowestId(prefix, from) : ''
  return [after !== undefined && after.id < end ? after.id : end, since]
}

/** As `idBoundsOf`, for the ids of events: version 7 UUIDs. */
export function eventIdBoundsOf({
  after,
  from,
  to,
}: PageQuery & { readonly from?: Date; readonly to?: Date }): [before: string, since: string] {
  const end = to ? lowestEventId(to.getTime() + 1) : 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  return [after !== undefined && after.id < end ? after.id : end, lowestEventId(from?.getTime() ?? 0)]
}

/** @param ms  since 1970 */
export function lowestEventId(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** A page of at most `limit` rows. One more row in `rows` means that there is a next page. */
export function pageOf<T extends PagePosition>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next = last && rows.length > limit ? { createdAt: last.createdAt, id: last.id } : null
  return { items, next }
}

/**
 * How many rows a page reads at most where the filter has no index. If few rows match, the page is shorter
 * than its limit and still has a next page, so that the time of a page is bounded.
 */
export const scannedMax = 2_000

/**
 * As `pageOf`, for a page that may have stopped at `scannedMax` rows.
 *
 * @param lastScanned reads the last of the `scannedMax` rows; undefined when there are fewer
 */
export async function scannedPageOf<T extends PagePosition>(
  rows: readonly T[],
  limit: number,
  lastScanned: () => Promise<PagePosition | undefined>,
): Promise<Page<T>> {
  const page = pageOf(rows, limit)
  const scanned = rows.length > limit ? undefined : await lastScanned()
  if (scanned === undefined) return page
  // Rows that were added between the two queries move the last scanned row, but not before the last shown one.
  const last = page.items.at(-1)
  const next = last !== undefined && isOlder(last, scanned) ? last : scanned
  return { items: page.items, next: { createdAt: next.createdAt, id: next.id } }
}

const isOlder = (a: PagePosition, b: PagePosition): boolean =>
  a.createdAt < b.createdAt || (a.createdAt.getTime() === b.createdAt.getTime() && a.id < b.id)
