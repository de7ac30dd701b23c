import type { Rate } from '@quipu/core'

/** Whether `rate` differs from `reference` by more than `bps` basis points of it. */
export function differsByMore(rate: Rate, reference: Rate, bps: number): boolean {
  const distance = rate > reference ? rate - reference : reference - rate
  return distance * 10_000n > reference * BigInt(bps)
}
