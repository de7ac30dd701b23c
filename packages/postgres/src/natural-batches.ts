/** How one item of a batch ended. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

export type Batches<Item, Result> = {
  /** Answers after the item's own batch has run. */
  add(item: Item): Promise<Result>
  /** Resolves when everything that was added has been answered. */
  idle(): Promise<void>
}

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs items in batches without waiting for any: a free lane at once takes everything queued.
 *
 * An item alone runs alone; under load a batch is what came while the lanes were busy. The queue is
 * looked at once a turn of the event loop, so that what arrives together goes together.
 *
 * @param run must not throw, and answers as many outcomes as it was given items, in their order
 */
export function naturalBatches<Lane, Item, Result>(
  lanes: readonly Lane[],
  sizeMax: number,
  run: (lane: Lane, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
): Batches<Item, Result> {
  const free = [...lanes]
  const running = new Set<Promise<void>>()
  let queue: Waiting<Item, Result>[] = []
  let turn: NodeJS.Immediate | undefined

  const schedule = (): void => {
    turn ??= setImmediate(() => {
      turn = undefined
      while (queue.length > 0) {
        const lane = free.shift()
        if (lane === undefined) return
        const batch = queue.slice(0, sizeMax)
        queue = queue.slice(sizeMax)
        start(lane, batch)
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
    const outcomes = await run(
      lane,
      batch.map(({ item }) => item),
    )
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
