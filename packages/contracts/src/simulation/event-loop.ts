/**
 * An event loop in virtual time. The order of events at the same instant is drawn from the seed, so a seed
 * determines the interleaving.
 */
export type EventLoop = {
  now(): Date
  /** Schedules `act` in `ms` milliseconds. @returns a function that cancels it */
  after(ms: number, act: () => void): () => void
  /** Resolves in `ms` milliseconds. */
  wait(ms: number): Promise<void>
  /** Runs the events of the next `ms` milliseconds. */
  run(ms: number): Promise<void>
  /** Uniform, from 0 up to but not including 1. */
  random(): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** The number of events that have run. */
  ran(): number
}

type Event = {
  readonly at: number
  /** Orders events of the same instant. */
  readonly key: number
  /** Undefined once it is cancelled. */
  act: (() => void) | undefined
}

/** Runs nothing until `run`. @param seed every value gives another interleaving */
export function eventLoop(seed: number, start: Date): EventLoop {
  const random = mulberry32(seed)
  const events = eventHeap()
  let time = start.getTime()
  let count = 0

  const after: EventLoop['after'] = (ms, act) => {
    const event: Event = { at: time + Math.max(0, Math.floor(ms)), key: random(), act }
    events.add(event)
    return () => {
      event.act = undefined
    }
  }
  return {
    now: () => new Date(time),
    after,
    wait: (ms) =>
      new Promise((resolve) => {
        after(ms, resolve)
      }),
    async run(ms) {
      const end = time + ms
      for (let next = events.next(end); next !== undefined; next = events.next(end)) {
        if (next.act === undefined) continue
        time = Math.max(time, next.at)
        count += 1
        next.act()
        await settled()
      }
      time = end
    },
    random,
    chance: (probability) => random() < probability,
    pick: (items) => {
      const item = items[Math.floor(random() * items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
    ran: () => count,
  }
}

/** Waits until all promises that the last event has resolved have run their callbacks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type EventHeap = {
  add(event: Event): void
  /** Removes the first event; undefined when it is later than `end`. */
  next(end: number): Event | undefined
}

/** A binary heap: each event is before both of its children. */
function eventHeap(): EventHeap {
  const heap: Event[] = []
  const isBefore = (a: Event, b: Event): boolean => (a.at === b.at ? a.key < b.key : a.at < b.at)

  function sink(event: Event): void {
    let index = 0
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]]
      if (left === undefined) break
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (!isBefore(child, event)) break
      heap[index] = child
      index = 2 * index + (isRight ? 2 : 1)
    }
    heap[index] = event
  }
  return {
    add(event) {
      let index = heap.length
      while (index > 0) {
        const above = (index - 1) >> 1
        const parent = heap[above]
        if (parent === undefined || !isBefore(event, parent)) break
        heap[index] = parent
        index = above
      }
      heap[index] = event
    },
    next(end) {
      const [first] = heap
      if (first === undefined || first.at > end) return undefined
      const last = heap.pop()
      if (last !== undefined && last !== first) sink(last)
      return first
    },
  }
}

/** Mulberry32, a uniform generator with 32 bits of state. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
