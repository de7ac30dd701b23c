import { type Clock, type Rate, type RateSource, Unavailable } from '@quipu/core'

export type FixedRateOptions = {
  readonly bid: Rate
  readonly now: Clock
  /** `fixed` by default. */
  readonly name?: string
}

/** A constant bid, for the example server, local runs and tests. */
export const fixedRate = ({ bid, now, name = 'fixed' }: FixedRateOptions): RateSource => ({
  async current() {
    if (bid <= 0n) throw new Unavailable('rate_source', `${name}: not above zero`)
    return { bid, source: name, observedAt: now() }
  },
})
