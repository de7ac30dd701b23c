/** The process's clock. Quotes, leases and schedules are measured by the store's clock instead. */
export type Clock = () => Date

/**
 * `2026-11-21T15:04:05.000Z`: UTC, with milliseconds.
 *
 * A payout's few instants are written a dozen times, and each writing takes as long as the digest
 * of a key: so they are remembered for a while.
 *
 * @throws RangeError when the date is none
 */
export function isoText(at: Date): string {
  const ms = at.getTime()
  const known = isoTexts.get(ms)
  if (known !== undefined) return known
  const text = at.toISOString()
  if (isoTexts.size >= isoTextsMax) isoTexts.clear()
  isoTexts.set(ms, text)
  return text
}

const isoTexts = new Map<number, string>()
const isoTextsMax = 1000

/** Milliseconds on a clock of the process's own that never jumps: only differences mean something. */
export type Monotonic = () => number

/** When a request must have been answered. Measured by the process's own monotonic clock. */
export type Deadline = { readonly leftMs: () => number }

export function deadlineIn(ms: number, monotonic: Monotonic): Deadline {
  const at = monotonic() + ms
  return { leftMs: () => at - monotonic() }
}

/** `at`, or `earliest` if that is later: another process's clock may be ahead of ours, and nothing ends before it began. */
export const notBefore = (at: Date, earliest: Date): Date => (at < earliest ? earliest : at)

/** A wait that can be called off. `done` resolves after `ms` milliseconds, never when cancelled. */
export type Timer = (ms: number) => { readonly done: Promise<void>; cancel(): void }

/**
 * What the work comes to, or undefined when it takes longer than `ms`: then it goes on, and nobody waits
 * for it any more.
 *
 * @throws what the work throws in time
 */
export async function withTimeout<T>(
  timer: Timer,
  ms: number,
  work: Promise<T>,
): Promise<T | undefined> {
  const { done, cancel } = timer(ms)
  try {
    return await Promise.race([work, done.then(() => undefined)])
  } finally {
    cancel()
  }
}
