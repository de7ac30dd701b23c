import { onTestFinished, vi } from 'vitest'

/**
 * Stops `setTimeout` and `performance.now` until the test ends; sockets and `setInterval` go on.
 *
 * @returns advances the time, and runs the timers that are due
 */
export function steppedTime(): (ms: number) => Promise<void> {
  let nowMs = Math.ceil(performance.now())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const fake = globalThis.setTimeout
  // Undici keeps one timer and refreshes it; a timer without `refresh` is replaced after the test.
  const unrefreshable = (...args: Parameters<typeof fake>): NodeJS.Timeout =>
    Object.assign(fake(...args), { refresh: undefined })
  globalThis.setTimeout = Object.assign(unrefreshable, fake)
  const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const step = async (ms: number): Promise<void> => {
    nowMs += ms
    await vi.advanceTimersByTimeAsync(ms)
  }
  onTestFinished(async () => {
    await step(60_000) // Ends the attempts of a test that has failed.
    globalThis.setTimeout = fake
    now.mockRestore()
    vi.useRealTimers()
  })
  return step
}

/** Resolves when the condition holds; the test's timeout ends it otherwise. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
