/**
 * The pause after a question that found less than it might have: the more it has cost, the longer.
 * Asking takes half of the time at most, and a tenth of it in vain.
 *
 * @param askedAt  by `performance.now()`
 * @param found  how much there was
 */
export const pauseAfter = (idleMs: number, askedAt: number, found: number): number =>
  Math.max(idleMs, (found > 0 ? 1 : 9) * (performance.now() - askedAt))

/**
 * The pause after a question that failed, each time with an error in the log: what is down is down for
 * more than the blink of an eye.
 */
export const pauseAfterFault = (idleMs: number): number => Math.max(idleMs, 1_000)
