import { type Bob, bob, type Usdt, usdt } from '../money.ts'
import type { DailyLimits } from './daily-limits.ts'

/** The limits of what a tenant pays out. */
export type Limits = DailyLimits & { readonly paymentCap: Bob }

/** New limits; those that are left out stay. */
export type LimitsChange = Partial<Limits>

/**
 * Up to which limits one admin alone raises them. A limit on the number of payouts, and no limit at all, are above
 * them.
 */
export type UnapprovedLimits = { readonly paymentCap: Bob; readonly amount: Usdt }

/** The largest single payout of a new tenant. */
export const defaultPaymentCap: Bob = bob(50_000_00n)

/** The default cap, and no daily amount. */
export const defaultUnapprovedLimits: UnapprovedLimits = { paymentCap: defaultPaymentCap, amount: usdt(0n) }

/** The limits of a tenant. */
export const limitsOf = ({
  pricing: { paymentCap },
  dailyLimits: { amount, count },
}: {
  readonly pricing: Pick<Limits, 'paymentCap'>
  readonly dailyLimits: DailyLimits
}): Limits => ({ paymentCap, amount, count })

/** The limits that a change raises. */
export function raisedLimits(before: Limits, after: Limits): LimitsChange {
  const { paymentCap, amount, count } = after
  return {
    ...(paymentCap.minor > before.paymentCap.minor && { paymentCap }),
    ...(isAbove(amount?.minor ?? null, before.amount?.minor ?? null) && { amount }),
    ...(isAbove(count, before.count) && { count }),
  }
}

/** Whether a second person has to approve the raised limits. */
export const needsTwoToRaise = (
  { paymentCap = bob(0n), amount, count }: LimitsChange,
  unapproved: UnapprovedLimits,
): boolean =>
  count !== undefined ||
  paymentCap.minor > unapproved.paymentCap.minor ||
  (amount !== undefined && isAbove(amount?.minor ?? null, unapproved.amount.minor))

/** Null is no limit, above every other. */
const isAbove = <T extends number | bigint>(one: T | null, other: T | null): boolean =>
  other !== null && (one === null || one > other)
