/**
 * An event loop in virtual time. The order of events at the same instant is drawn from the seed, so a seed
 * determines the interleaving.
 */
export type EventLoop = {
  now(): Date
  /** Schedules `act` in `ms` milliseconds. @returns a function that cancels it */
  after(ms: number, act: () => void): () => void
  /** Runs the events of the next `ms` milliseconds. */
  run(ms: number): Promise<void>
  /** Uniform, from 0 up to but not including 1. */
  random(): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

type Event = { readonly at: number; readonly act: () => void }

export function eventLoop(seed: number, start: Date): EventLoop {
  const random = mulberry32(seed)
  const events = new Set<Event>()
  let time = start.getTime()

  function pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }
  return {
    now: () => new Date(time),
    after(ms, act) {
      const event = { at: time + Math.max(0, Math.floor(ms)), act }
      events.add(event)
      return () => events.delete(event)
    },
    async run(ms) {
      const end = time + ms
      for (;;) {
        const next = Math.min(...Array.from(events, ({ at }) => at))
        if (next > end) break
        time = Math.max(time, next)
        const event = pick(Array.from(events).filter(({ at }) => at <= time))
        events.delete(event)
        event.act()
        await settled()
      }
      time = end
    },
    random,
    chance: (probability) => random() < probability,
    pick,
  }
}

/** Waits until all promises that the last event has resolved have run their callbacks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Mulberry32, a uniform generator with 32 bits of state. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
