import type { RateReading } from '@quipu/core/adapter'
import { differsByMore } from './bps.ts'

export type AgreementRules = {
  /** Maximum spread between the highest and the lowest bid. */
  readonly maxSpreadBps: number
}

export type Agreement =
  | { readonly type: 'agreed'; readonly reading: RateReading }
  | { readonly type: 'too_few' }
  | { readonly type: 'disagreement' }

/**
 * Combines fresh readings: the lowest bid, at the oldest of their times.
 *
 * All readings must agree, so that no rate is above a fresh bid. Readings of the same source name count as one source.
 */
export function agree(fresh: readonly RateReading[], { maxSpreadBps }: AgreementRules): Agreement {
  const names = [...new Set(fresh.map(({ source }) => source))]
  const [first, ...others] = fresh
  if (names.length < 2 || !first) return { type: 'too_few' }
  let [lowest, highest, oldest] = [first.bid, first.bid, first.observedAt]
  for (const { bid, observedAt } of others) {
    if (bid < lowest) lowest = bid
    if (bid > highest) highest = bid
    if (observedAt < oldest) oldest = observedAt
  }
  if (differsByMore(highest, lowest, maxSpreadBps)) return { type: 'disagreement' }
  const source = `composite(${names.join(',')})`
  return { type: 'agreed', reading: { bid: lowest, source, observedAt: oldest } }
}
