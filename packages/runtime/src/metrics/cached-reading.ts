import type { Clock, Timer } from '@quipu/core'
import { withTimeout } from '@quipu/core/adapter'

/** Below Prometheus's scrape timeout of 10 s, so that a scrape always returns the process's own metrics. */
const timeoutMs = 2_000

/**
 * Reads at most once in `maxAgeMs`, however many metrics and scrapes need it. A read that fails or takes longer than
 * `timeoutMs` counts as unanswered, and answers undefined.
 */
export function cachedReading<T>(
  read: () => Promise<T>,
  { timer, now }: { readonly timer: Timer; readonly now: Clock },
  maxAgeMs: number,
): () => Promise<T | undefined> {
  let latest: { readonly at: Date; readonly reading: Promise<T | undefined> } | undefined
  const readInTime = (): Promise<T | undefined> =>
    withTimeout(
      timer,
      timeoutMs,
      read().catch(() => undefined),
    )
  return () => {
    const at = now()
    // A clock that moved back must not keep a reading for longer.
    const ageMs = latest === undefined ? maxAgeMs : Math.abs(at.getTime() - latest.at.getTime())
    if (latest === undefined || ageMs >= maxAgeMs) latest = { at, reading: readInTime() }
    return latest.reading
  }
}
