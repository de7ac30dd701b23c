import type { Bob, Usdt } from '../money.ts'
import type { DailyLimits } from '../limit/daily-limits.ts'
import { defaultPaymentCap } from '../limit/limits.ts'
import type { Suspension } from './suspension.ts'

/** A tenant's margin, fees and payment cap. */
export type Pricing = {
  /** Basis points off the bid, 0 to 5000. */
  readonly marginBps: number
  /** Basis points of the principal, 0 to 5000. */
  readonly feeBps: number
  readonly feeFixed: Usdt
  /** The largest single payout. */
  readonly paymentCap: Bob
}

/** The pricing of a tenant that is created without one; a host may set another margin. */
export const defaultPricing: Pricing = {
  marginBps: 150,
  feeBps: 0,
  feeFixed: { currency: 'USDT', minor: 0n },
  paymentCap: defaultPaymentCap,
}

/** Whether payments of the tenant earn nothing, whatever their amount. */
export const earnsNothing = ({ marginBps, feeBps, feeFixed }: Pricing): boolean =>
  marginBps === 0 && feeBps === 0 && feeFixed.minor === 0n

/** The person to contact about technical matters. */
export type TechnicalContact = { readonly name: string; readonly email: string }

/** In place of a contact that was erased: nobody gets its notices. */
export const erasedContact: TechnicalContact = { name: 'erased', email: 'erased@contact.invalid' }

/** A company that pays with Quipu. */
export type Tenant = {
  readonly id: string
  readonly legalName: string
  readonly technicalContact: TechnicalContact
  readonly status: 'active' | 'suspended'
  /** Left out while the tenant is active. */
  readonly suspension?: Suspension
  readonly pricing: Pricing
  readonly dailyLimits: DailyLimits
  readonly createdAt: Date
  /** The number of changes; a write names the revision it is based on. */
  readonly revision: number
}
