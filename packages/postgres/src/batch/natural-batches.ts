/** How one item of a batch ended. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

export type Batches<Item, Result> = {
  /** Answers after the item's own batch has run. */
  add(item: Item): Promise<Result>
  /** Resolves when everything that was added has been answered. */
  idle(): Promise<void>
}

/**
 * From this size on an item costs hardly less in a larger batch, and what is beyond it is better
 * given to the next free lane: a database has more than one core.
 */
const sizeEnough = 32

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs items in batches without waiting for any: what is queued goes to the free lanes at once.
 *
 * An item alone runs alone; under load a batch is what came while the lanes were busy. The queue is
 * looked at once a turn of the event loop, so that what arrives together goes together.
 *
 * @param run answers as many outcomes as it was given items, in their order; what it throws is the
 *   error of every one of them
 */
export function naturalBatches<Lane, Item, Result>(
  lanes: readonly Lane[],
  sizeMax: number,
  run: (lane: Lane, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
): Batches<Item, Result> {
  const free = [...lanes]
  const running = new Set<Promise<void>>()
  const queue: Waiting<Item, Result>[] = []
  let turn: NodeJS.Immediate | undefined

  const schedule = (): void => {
    turn ??= setImmediate(() => {
      turn = undefined
      while (queue.length > 0) {
        const size = Math.min(sizeMax, Math.max(sizeEnough, Math.ceil(queue.length / free.length)))
        const lane = free.shift()
        if (lane === undefined) return
        start(lane, queue.splice(0, size))
      }
    })
  }
  const start = (lane: Lane, batch: readonly Waiting<Item, Result>[]): void => {
    const work = answer(lane, batch).finally(() => {
      running.delete(work)
      free.push(lane)
      if (queue.length > 0) schedule()
    })
    running.add(work)
  }
  const answer = async (lane: Lane, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    const items = batch.map(({ item }) => item)
    const outcomes = await run(lane, items).catch((error: unknown) => items.map(() => ({ error })))
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
