import type { Page, PageQuery, Position } from '@quipu/core'

/** The parameters of a keyset page: the row it begins after, and one row more than is shown. */
export const keysetOf = ({
  after,
  limit,
}: PageQuery): [createdAt: Date | string, id: string, rows: number] => [
  after?.createdAt ?? 'infinity',
  after?.id ?? '',
  limit + 1,
]

/** A page of at most `limit` rows. One row more than that says that there is another page. */
export function pageOf<T extends Position>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next = last && rows.length > limit ? { createdAt: last.createdAt, id: last.id } : null
  return { items, next }
}
