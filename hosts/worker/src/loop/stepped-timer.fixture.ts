import type { Monotonic, Timer } from '@quipu/core'

export type SteppedTimer = {
  readonly timer: Timer
  readonly monotonic: Monotonic
  /** Resolves each open pause. */
  readonly waiting: readonly (() => void)[]
  /** The length of each pause so far, in ms. */
  readonly pausesMs: readonly number[]
  /** Ends all open pauses. */
  pass(): void
}

/**
 * A timer whose pauses end when the test says so.
 *
 * @param stepMs  what the monotonic clock advances by at each reading
 */
export function steppedTimer(stepMs = 0): SteppedTimer {
  const waiting: (() => void)[] = []
  const pausesMs: number[] = []
  let nowMs = 0
  const timer: Timer = (ms) => {
    pausesMs.push(ms)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    return { done: promise, cancel: () => undefined }
  }
  return {
    timer,
    monotonic: () => (nowMs += stepMs),
    waiting,
    pausesMs,
    pass: () => waiting.splice(0).forEach((wake) => wake()),
  }
}

/** Runs everything that no timer delays. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
