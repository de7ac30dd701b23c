/** A token bucket shared by everybody who asks the same provider. Times are ms of one clock. */
export type Pace = {
  /** Takes a turn. @returns how long to wait for it; 0 while the bucket has tokens */
  take(): number
  /** Gives nobody a turn for so long: the provider said that it is too much. */
  holdOff(ms: number): void
}

/**
 * @param perSecond  how many turns a second in the long run, and how many at once after a pause
 * @param nowMs  never goes back
 */
export function createPace(perSecond: number, nowMs: () => number): Pace {
  if (!(perSecond > 0)) throw new RangeError('A pace needs a positive number of requests a second.')
  const everyMs = 1_000 / perSecond
  const burstMs = Math.max(0, 1_000 - everyMs)
  /** When the bucket would be full again. */
  let fullAt = -Infinity
  return {
    take() {
      const now = nowMs()
      const waitMs = Math.max(0, fullAt - burstMs - now)
      fullAt = Math.max(fullAt, now) + everyMs
      return waitMs
    },
    holdOff(ms) {
      fullAt = Math.max(fullAt, nowMs() + ms + burstMs)
    },
  }
}
