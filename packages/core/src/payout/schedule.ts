/** When a worker makes a status call, in seconds after the owner yielded. */
const statusCallsAt = [0, 2, 5, 10, 30, 60]

/**
 * How long to wait before the next status call, after `calls` of them.
 *
 * During an outage `calls` counts all of them; afterwards only those that the network answered, so the
 * schedule restarts after an outage.
 *
 * @returns seconds; a hold is never released because of age
 */
export function statusDelaySeconds(calls: number): number {
  const last = statusCallsAt[calls]
  const next = statusCallsAt[calls + 1]
  return last === undefined || next === undefined ? 300 : next - last
}

/**
 * How long to wait before the next probe. During an outage of the network, workers make
 * status calls about one payout more often than its schedule says, to detect the end of the outage.
 *
 * @param openSeconds  how long the payout has been in `processing`
 * @returns seconds
 */
export const probeDelaySeconds = (openSeconds: number): number => Math.min(60, Math.max(5, openSeconds / 20))

/**
 * The shortest delay, in seconds, between an unanswered status call and the next one, when an answer
 * about another payout brings it forward. Indexed by how often that has happened since the network last
 * answered about this payout; the last value stays.
 */
export const catchUpDelaysSeconds: readonly number[] = [2, 4, 8, 16, 32, 60]

/** How long a payout may be in `processing` before an alert. */
export const processingAlertSeconds: number = 15 * 60
/** How long a payout may be in `processing` before an operator must act. */
export const operatorAfterSeconds: number = 24 * 60 * 60
