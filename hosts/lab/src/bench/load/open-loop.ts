import { setTimeout as pause } from 'node:timers/promises'

export type OpenLoop = {
  readonly ratePerSecond: number
  readonly seconds: number
  /** Load at the same rate before the measurement, for compilation and connections. */
  readonly warmUpSeconds: number
  /** @returns whether the response was the expected one */
  readonly send: () => Promise<boolean>
}

export type OpenLoopResult = {
  readonly ratePerSecond: number
  readonly latenciesMs: readonly number[]
  readonly errors: number
}

/** Time in ms; tests step it. */
export type LoopClock = { readonly now: () => number; readonly wait: (ms: number) => Promise<unknown> }

const systemTime: LoopClock = { now: () => performance.now(), wait: (ms) => pause(ms) }

/**
 * Open loop: sends requests at a constant rate, whether or not earlier ones have been answered.
 *
 * A latency is measured from the instant at which its request was due, not from when it was sent: requests
 * that wait while the service or this process stalls count with their wait, which avoids coordinated
 * omission.
 */
export async function runOpenLoop(
  { ratePerSecond, seconds, warmUpSeconds, send }: OpenLoop,
  { now, wait }: LoopClock = systemTime,
): Promise<OpenLoopResult> {
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
