/**
 * The results of the items that a read-back has found.
 *
 * @param rows `place` is the item's index in `items`
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
