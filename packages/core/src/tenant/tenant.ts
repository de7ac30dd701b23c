import type { Bob, Usdt } from '../money.ts'

/** How a tenant's quotes are priced and capped. */
export type Pricing = {
  /** Basis points off the bid, 0 to 5000. */
  readonly marginBps: number
  /** Basis points of the principal, 0 to 5000. */
  readonly feeBps: number
  readonly feeFixed: Usdt
  /** The largest single payout. */
  readonly paymentCap: Bob
}

export type TechnicalContact = { readonly name: string; readonly email: string }

export type Tenant = {
  readonly id: string
  readonly legalName: string
  readonly technicalContact: TechnicalContact
  readonly status: 'active' | 'suspended'
  readonly pricing: Pricing
  readonly createdAt: Date
  /** Counts changes; a write names the revision it was made from. */
  readonly revision: number
}
