import type { Timer } from '@quipu/core'

/** Timers that wait for the test. */
export function pauses(): {
  readonly timer: Timer
  readonly waiting: readonly (() => void)[]
  /** How long each of them is, in ms. */
  readonly asked: readonly number[]
  pass(): void
} {
  const waiting: (() => void)[] = []
  const asked: number[] = []
  const timer: Timer = (ms) => {
    asked.push(ms)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    return { done: promise, cancel: () => undefined }
  }
  return { timer, waiting, asked, pass: () => waiting.splice(0).forEach((wake) => wake()) }
}

/** Lets everything run that waits for nothing. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
