/**
 * The pause after a poll that found less than its limit, in ms: polling takes at most half of the
 * time, and a tenth while polls find nothing.
 *
 * @param idleMs  the shortest pause
 * @param tookMs  how long the poll took
 * @param found  how many items the poll found
 */
export const pauseAfter = (idleMs: number, tookMs: number, found: number): number =>
  Math.max(idleMs, (found > 0 ? 1 : 9) * tookMs)

/** The pause after a failed poll, in ms: at least a second, since each failure writes a log line. */
export const pauseAfterFailure = (idleMs: number): number => Math.max(idleMs, 1_000)
