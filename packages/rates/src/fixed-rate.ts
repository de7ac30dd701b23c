import type { Clock, Rate, RateSource } from '@quipu/core'
import { reportOf, sourceUnavailable } from './source-report.ts'

/** The rate, in BOB per USDT, and the clock of its observation. */
export type FixedRateOptions = {
  readonly bid: Rate
  readonly now: Clock
  /** `fixed` by default. */
  readonly name?: string
}

/** A constant bid, for the example server, local runs and tests. */
export function fixedRate({ bid, now, name = 'fixed' }: FixedRateOptions): Required<RateSource> {
  const source: Required<RateSource> = {
    async current() {
      if (bid <= 0n) throw sourceUnavailable(name, 'not above zero', null)
      return { bid, source: name, observedAt: now() }
    },
    report: async () => ({ sources: [await reportOf(source, name)], agreement: null }),
  }
  return source
}
