import type { Outcome } from './natural-batches.ts'

type Group<Item, Result> = (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>

/** Runs two groups of items one after the other, and returns the outcomes in the order of `items`. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  isYes: (item: Item) => boolean,
  { yes, no }: Readonly<Record<'yes' | 'no', Group<Item, Result>>>,
): Promise<Outcome<Result>[]> {
  const sides = items.map(isYes)
  const runSide = async (side: boolean, group: Group<Item, Result>) => {
    const members = items.filter((_, place) => sides[place] === side)
    return (members.length > 0 ? await group(members) : [])[Symbol.iterator]()
  }
  const [ofYes, ofNo] = [await runSide(true, yes), await runSide(false, no)]
  return sides.map((side): Outcome<Result> => {
    const next = (side ? ofYes : ofNo).next()
    return next.done ? undecided() : next.value
  })
}

/** The outcome of an item for which a batch returned none, which is a bug. */
export const undecided = <Result>(): Outcome<Result> => ({
  error: new Error('the answer of the database has no result for an item of the batch'),
})
