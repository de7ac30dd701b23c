/** How one item of a batch ended. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

export type Batches<Item, Result> = {
  /** Resolves with the item's result after its batch has run. */
  add(item: Item): Promise<Result>
  /** Resolves when no item is queued or running. */
  idle(): Promise<void>
}

/**
 * Above this size a larger batch hardly lowers the cost of an item. So further items go to the next free
 * slot, which uses another core of the database.
 */
const sizeEnough = 32

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs queued items in batches as soon as a slot is free, without a timer: at low load a batch is one item,
 * under load it is all that was queued while the slots were busy. Batches start once a turn of the event
 * loop, so items that are added in one turn share a batch.
 *
 * @param slots how many batches run at once; `run` gets the slot of its batch, for instance a connection
 * @param run returns one outcome an item, in the order of the items; an error that it throws becomes the
 *   outcome of each of them
 */
export function naturalBatches<Slot, Item, Result>(
  slots: readonly Slot[],
  sizeMax: number,
  run: (slot: Slot, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
): Batches<Item, Result> {
  const free = [...slots]
  const running = new Set<Promise<void>>()
  const queue: Waiting<Item, Result>[] = []
  let turn: NodeJS.Immediate | undefined

  const schedule = (): void => {
    turn ??= setImmediate(() => {
      turn = undefined
      while (queue.length > 0) {
        const size = Math.min(sizeMax, Math.max(sizeEnough, Math.ceil(queue.length / free.length)))
        const slot = free.shift()
        if (slot === undefined) return
        start(slot, queue.splice(0, size))
      }
    })
  }
  const start = (slot: Slot, batch: readonly Waiting<Item, Result>[]): void => {
    const work = answer(slot, batch).finally(() => {
      running.delete(work)
      free.push(slot)
      if (queue.length > 0) schedule()
    })
    running.add(work)
  }
  const answer = async (slot: Slot, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    const items = batch.map(({ item }) => item)
    const outcomes = await run(slot, items).catch((error: unknown) => items.map(() => ({ error })))
    batch.forEach(({ resolve, reject }, place) => {
      const outcome = outcomes[place]
      if (outcome === undefined) reject(new Error('a batch left an item without an outcome'))
      else if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.result)
    })
  }
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        schedule()
      }),
    idle: async () => {
      while (queue.length > 0 || running.size > 0) {
        await Promise.all(running)
        await new Promise(setImmediate)
      }
    },
  }
}
