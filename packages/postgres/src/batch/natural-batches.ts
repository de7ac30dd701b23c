import { queuedSpan, type QueuedSpan, untraced } from '@quipu/tracing'
import { statementSpan } from '../connection/statement-span.ts'
import type { Slots } from './slots.ts'

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
  readonly span: QueuedSpan | undefined
}

/** How many items a batch waits for, at most for `gatherMs` after the first: those of one moment that come one by one. */
export type WorthWaitingFor = () => number

/** Its cost to a payout is small beside a network's answer, and calls of the database become fewer. */
export const gatherMs = 20

/**
 * Runs queued items in batches as soon as a slot is free: at low load a batch is one item, under load it is all that
 * was queued while the slots were busy. Batches start once a turn of the event loop, so items that are added in one
 * turn share a batch.
 *
 * @param name of the batches' statement: each item has a span of its own in the trace of its caller
 * @param slots how many batches run at once, with those of other kinds that share the slots; `run` gets the
 *   slot of its batch, for instance a connection
 * @param run returns one outcome an item, in the order of the items; an error that it throws becomes the
 *   outcome of each of them
 */
export function naturalBatches<Slot, Item, Result>(
  name: string,
  slots: Slots<Slot>,
  sizeMax: number,
  run: (slot: Slot, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  worthWaitingFor: WorthWaitingFor = () => 1,
): Batches<Item, Result> {
  const running = new Set<Promise<void>>()
  const queue: Waiting<Item, Result>[] = []
  const spanFacts = statementSpan(name)
  let turn: NodeJS.Immediate | undefined
  let gathering: { readonly timer: NodeJS.Timeout; isOver: boolean } | undefined

  const schedule = (): void => {
    turn ??= untraced(() => setImmediate(startBatches))
  }
  const startBatches = (): void => {
    turn = undefined
    while (queue.length > 0 && !waitsForMore()) {
      const slot = slots.take(schedule)
      if (slot === undefined) return
      const share = Math.ceil(queue.length / (1 + slots.freeCount()))
      start(slot, queue.splice(0, Math.min(sizeMax, Math.max(sizeEnough, share))))
    }
    slots.leave(schedule)
  }
  const waitsForMore = (): boolean => {
    if (queue.length < worthWaitingFor() && !gathering?.isOver) {
      gathering ??= { timer: untraced(() => setTimeout(endGathering, gatherMs)), isOver: false }
      return true
    }
    clearTimeout(gathering?.timer)
    gathering = undefined
    return false
  }
  const endGathering = (): void => {
    if (gathering) gathering.isOver = true
    schedule()
  }
  const start = (slot: Slot, batch: readonly Waiting<Item, Result>[]): void => {
    const work = answer(slot, batch).finally(() => {
      running.delete(work)
      slots.give(slot)
      if (queue.length > 0) schedule()
    })
    running.add(work)
  }
  const answer = async (slot: Slot, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    for (const { span } of batch) span?.started(batch.length)
    const items = batch.map(({ item }) => item)
    const outcomes = await run(slot, items).catch((error: unknown) => items.map(() => ({ error })))
    batch.forEach((waiting, place) => settle(waiting, outcomes[place] ?? withoutOutcome()))
  }
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject, span: queuedSpan(spanFacts) })
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

const withoutOutcome = (): Outcome<never> => ({ error: new Error('a batch left an item without an outcome') })

function settle<Item, Result>({ resolve, reject, span }: Waiting<Item, Result>, outcome: Outcome<Result>): void {
  if ('error' in outcome) {
    span?.fail(outcome.error)
    reject(outcome.error)
  } else {
    span?.end()
    resolve(outcome.result)
  }
}
