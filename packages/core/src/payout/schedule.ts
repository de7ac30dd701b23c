/** When a worker asks, in seconds after the owner gave the payout up; then every 300 s. */
const askedAt = [0, 2, 5, 10, 30, 60]

/**
 * How long to wait before the next question, after `asked` of them.
 *
 * @returns seconds: 2, 3, 5, 20, 30, then 300 for ever; a hold is never released because of age
 * @source assumed
 */
export function askDelaySeconds(asked: number): number {
  const last = askedAt[asked]
  const next = askedAt[asked + 1]
  return last === undefined || next === undefined ? 300 : next - last
}

/** When somebody is told that a payout is still in `processing`. */
export const alertAfterSeconds: number = 15 * 60
/** When it becomes an operator's matter. */
export const operatorAfterSeconds: number = 24 * 60 * 60
