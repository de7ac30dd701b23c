/**
 * What became of those items that a reading has found.
 *
 * @param rows each names the place of its item, from 0
 */
export function foundResults<Item, Row extends { readonly place: number }, Result>(
  items: readonly Item[],
  rows: readonly Row[],
  resultOf: (item: Item, row: Row) => Result,
): ReadonlyMap<Item, Result> {
  const results = new Map<Item, Result>()
  for (const row of rows) {
    const item = items[row.place]
    if (item !== undefined) results.set(item, resultOf(item, row))
  }
  return results
}
