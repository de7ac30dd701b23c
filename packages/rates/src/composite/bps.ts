import type { Rate } from '@quipu/core'

/** How far `rate` is above `reference`, in basis points of it, rounded up. */
export const bpsAbove = (rate: Rate, reference: Rate): number =>
  Number(((rate - reference) * 10_000n + reference - 1n) / reference)

/** Whether `rate` differs from `reference` by more than `bps` basis points of it. */
export function differsByMore(rate: Rate, reference: Rate, bps: number): boolean {
  const distance = rate > reference ? rate - reference : reference - rate
  return distance * 10_000n > reference * BigInt(bps)
}
