import { setTimeout as pause } from 'node:timers/promises'

export type OpenLoad = {
  readonly ratePerSecond: number
  readonly seconds: number
  /** Before these seconds, at the same rate, for what is not compiled or connected yet. */
  readonly warmUpSeconds: number
  /** @returns whether the answer was the expected one */
  readonly send: () => Promise<boolean>
}

export type OpenLoadFigures = {
  readonly ratePerSecond: number
  readonly latenciesMs: readonly number[]
  readonly errors: number
}

/** Of time, in ms; tests step their own. */
export type LoadClock = {
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
}

const systemTime: LoadClock = { now: () => performance.now(), wait: (ms) => pause(ms) }

/**
 * Sends requests at a constant rate, whether or not earlier ones have been answered.
 *
 * A latency counts from the instant at which its request was due, not from when it was sent: while the
 * service or this process stalls, the requests that fall due wait, and their waiting counts
 * (coordinated omission).
 */
export async function loadAtRate(
  { ratePerSecond, seconds, warmUpSeconds, send }: OpenLoad,
  { now, wait }: LoadClock = systemTime,
): Promise<OpenLoadFigures> {
  const latenciesMs: number[] = []
  let errors = 0
  const sendOne = async (dueAt: number): Promise<void> => {
    const isExpected = await send().catch(() => false)
    if (!isExpected) errors += 1
    else if (dueAt >= warmAt) latenciesMs.push(now() - dueAt)
  }
  const start = now()
  const warmAt = start + warmUpSeconds * 1_000
  const sent: Promise<void>[] = []
  const count = Math.floor(ratePerSecond * (warmUpSeconds + seconds))
  while (sent.length < count) {
    const dueAt = start + (sent.length * 1_000) / ratePerSecond
    const earlyMs = dueAt - now()
    if (earlyMs > 0) await wait(earlyMs)
    else sent.push(sendOne(dueAt))
  }
  await Promise.all(sent)
  return { ratePerSecond, latenciesMs, errors }
}
