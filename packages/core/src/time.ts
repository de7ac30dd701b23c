/** The process's clock. Quotes, leases and schedules are measured by the store's clock instead. */
export type Clock = () => Date

/**
 * `2026-11-21T15:04:05.000Z`: UTC, with milliseconds.
 *
 * Cached: a payout's few instants are formatted a dozen times, and `toISOString` costs as much as the digest of a key.
 *
 * @throws RangeError for an invalid date
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

/** Milliseconds of the process's monotonic clock: only differences are meaningful. */
export type Monotonic = () => number

/** When a request must be answered, by the process's monotonic clock. */
export type Deadline = { readonly leftMs: () => number }

/** A deadline `ms` milliseconds from now. */
export function deadlineIn(ms: number, monotonic: Monotonic): Deadline {
  const at = monotonic() + ms
  return { leftMs: () => at - monotonic() }
}

/** The later of the two: another process's clock may be ahead of this one's, and nothing ends before it began. */
export const notBefore = (at: Date, earliest: Date): Date => (at < earliest ? earliest : at)

/** A wait that can be cancelled. `done` resolves after `ms` milliseconds, and never when cancelled. */
export type Timer = (ms: number) => { readonly done: Promise<void>; cancel(): void }

/**
 * The result of the work, or undefined when it takes longer than `ms`; the work is not cancelled then.
 *
 * @throws the error of the work, if it fails in time
 */
export async function withTimeout<T>(timer: Timer, ms: number, work: Promise<T>): Promise<T | undefined> {
  const { done, cancel } = timer(ms)
  try {
    return await Promise.race([work, done.then(() => undefined)])
  } finally {
    cancel()
  }
}
