import { randomFillSync } from 'node:crypto'
import { type Clock, type Ids, idSource, type Monotonic, type RandomBytes, type Timer } from '../index.ts'

/** The wall clock of the machine. */
export const systemClock: Clock = () => new Date()

/**
 * Milliseconds of a clock for durations.
 *
 * @source `performance.now`: never jumps, and starts at 0 in each process
 */
export const systemMonotonic: Monotonic = () => performance.now()

/** A timer of Node, which keeps the process alive until it ends or is cancelled. */
export const systemTimer: Timer = (ms) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timeout = setTimeout(resolve, ms)
  return { done: promise, cancel: () => clearTimeout(timeout) }
}

/** As `systemTimer`, without keeping the process alive. */
export const idleTimer: Timer = (ms) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timeout = setTimeout(resolve, ms).unref()
  return { done: promise, cancel: () => clearTimeout(timeout) }
}

const page = Buffer.alloc(8192)
let used = page.length

/** Cryptographic random bytes, read from the system 8 KiB at a time. */
export const systemRandom: RandomBytes = (size) => {
  if (used + size > page.length) {
    randomFillSync(page)
    used = 0
  }
  return Uint8Array.prototype.slice.call(page, used, (used += size))
}

/** Ids from the random bytes of the system. */
export const systemIds: Ids = idSource(systemRandom)
