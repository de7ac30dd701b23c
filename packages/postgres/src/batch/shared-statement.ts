import { Unavailable } from '@quipu/core'
import { naturalBatches, type Outcome, type WorthWaitingFor } from './natural-batches.ts'
import { sharedSlots } from './slots.ts'

const itemsMax = 64

/**
 * One row an item of a statement. Concurrent calls share one statement, as most of its cost does not depend on
 * their number. After a fault of one item each is sent again singly, so a statement that writes must be repeatable.
 *
 * @param name of the statement
 * @param rowsOf  sends it; returns one row an item, in the order of the items
 */
export function sharedStatement<Item, Row>(
  name: string,
  rowsOf: (items: readonly Item[]) => Promise<readonly Row[]>,
  worthWaitingFor?: WorthWaitingFor,
): (item: Item) => Promise<Row> {
  const outcomesOf = async (items: readonly Item[]): Promise<Outcome<Row>[]> => {
    const rows = await rowsOf(items)
    return items.map((_, place) => {
      const row = rows[place]
      if (row !== undefined) return { result: row }
      return { error: new Error(`${name} returned no row for an item`) }
    })
  }
  const single = (item: Item): Promise<Outcome<Row>[]> => outcomesOf([item]).catch((error: unknown) => [{ error }])
  const readIn = async (_: string, items: readonly Item[]): Promise<Outcome<Row>[]> => {
    try {
      return await outcomesOf(items)
    } catch (error) {
      // A fault of one item must not fail the others. An outage fails them all at once: single statements
      // would only make each caller wait for its own time-out.
      const isOfAll = error instanceof Unavailable || items.length === 1
      return isOfAll ? items.map(() => ({ error })) : (await Promise.all(items.map(single))).flat()
    }
  }
  return naturalBatches(name, sharedSlots(['first']), itemsMax, readIn, worthWaitingFor).add
}
