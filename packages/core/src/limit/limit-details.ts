import { bob, usdt } from '../money.ts'
import type { LimitsChange } from './limits.ts'

type Details = Readonly<Record<string, string>>

const noLimit = 'none'

/** The parameters of a change of limits, as a store keeps them. */
export const limitDetails = ({ paymentCap, amount, count }: LimitsChange): Details => ({
  ...(paymentCap && { payment_cap_bob_minor: paymentCap.minor.toString() }),
  ...(amount !== undefined && { daily_limit_usdt_minor: amount?.minor.toString() ?? noLimit }),
  ...(count !== undefined && { daily_limit_count: count?.toString() ?? noLimit }),
})

/** The inverse of `limitDetails`. */
export const limitsFromDetails = ({
  payment_cap_bob_minor: cap,
  daily_limit_usdt_minor: amount,
  daily_limit_count: count,
}: Details): LimitsChange => ({
  ...(cap !== undefined && { paymentCap: bob(BigInt(cap)) }),
  ...(amount !== undefined && { amount: amount === noLimit ? null : usdt(BigInt(amount)) }),
  ...(count !== undefined && { count: count === noLimit ? null : Number(count) }),
})
