import type { Rate } from '@quipu/core'

/** Whether `rate` is more than `bps` basis points of `reference` away from it, up or down. */
export function isOff(rate: Rate, reference: Rate, bps: number): boolean {
  const distance = rate > reference ? rate - reference : reference - rate
  return distance * 10_000n > reference * BigInt(bps)
}
