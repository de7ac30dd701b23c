/** When a worker asks, in seconds after the owner gave the payout up; then every 300 s. */
const askedAt = [0, 2, 5, 10, 30, 60]

/**
 * How long to wait before the next question, after `asked` of them.
 *
 * The schedule counts the questions that the network answered, once it answers: it begins anew after
 * an outage.
 *
 * @returns seconds: 2, 3, 5, 20, 30, then 300 for ever; a hold is never released because of age
 * @source assumed
 */
export function statusDelaySeconds(asked: number): number {
  const last = askedAt[asked]
  const next = askedAt[asked + 1]
  return last === undefined || next === undefined ? 300 : next - last
}

/**
 * How long to wait before the next question of a probe. While the network answers no question, workers
 * ask about one payout more often than its schedule says, so that they notice when it answers again.
 *
 * @param openSeconds  how long the payout has been in `processing`
 * @returns seconds: a twentieth of that, at least 5 and at most 60
 * @source assumed
 */
export const probeDelaySeconds = (openSeconds: number): number =>
  Math.min(60, Math.max(5, openSeconds / 20))

/**
 * The shortest pause, in seconds, between a question that was not answered and one that is brought
 * forward because the network answered about another payout. The first time it is the first one here,
 * and the last one stays, until the network answers about this payout.
 *
 * @source assumed
 */
export const catchUpPausesSeconds: readonly number[] = [2, 4, 8, 16, 32, 60]

/** When somebody is told that a payout is still in `processing`. */
export const alertAfterSeconds: number = 15 * 60
/** When it becomes an operator's matter. */
export const operatorAfterSeconds: number = 24 * 60 * 60
