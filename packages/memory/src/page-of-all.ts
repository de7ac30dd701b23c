import type { Page, PageQuery } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'
import { newestFirst } from './newest-first.ts'

/** One page of these rows, newest first. */
export function pageOfAll<T extends PagePosition>(
  rows: readonly T[],
  query: PageQuery & { readonly from?: Date; readonly to?: Date },
): Page<T> {
  const order = newestFirst()
  for (const row of rows) order.add(row)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return order.page(query, (id) => byId.get(id))
}
