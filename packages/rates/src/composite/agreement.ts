import type { RateReading } from '@quipu/core/adapter'
import { isOff } from './bps.ts'

export type AgreementRules = {
  /** How far the highest bid may be above the lowest. */
  readonly maxSpreadBps: number
}

export type Agreement =
  | { readonly type: 'agreed'; readonly reading: RateReading }
  | { readonly type: 'too_few' }
  | { readonly type: 'apart' }

/**
 * What fresh readings say together: the lowest bid, at the oldest of their times.
 *
 * All of them must agree, not some: a rate above a fresh bid is never given. Readings of one name
 * are one witness.
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
  if (isOff(highest, lowest, maxSpreadBps)) return { type: 'apart' }
  const source = `composite(${names.join(',')})`
  return { type: 'agreed', reading: { bid: lowest, source, observedAt: oldest } }
}
