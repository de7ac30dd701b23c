import { type Usdt, usdt } from '../money.ts'

type Details = Readonly<Record<string, string>>

/** The prices of a tenant: `Pricing` without the payment cap. */
export type Prices = { readonly marginBps: number; readonly feeBps: number; readonly feeFixed: Usdt }

/** Changes the prices of a tenant. Executed by the commit of the approval. */
export type ChangePricing = {
  readonly type: 'change_pricing'
  readonly tenantId: string
  /** The prices that are left out stay. */
  readonly prices: Partial<Prices>
}

/** Prices, as a store keeps them. */
export const priceDetails = ({ marginBps, feeBps, feeFixed }: Partial<Prices>): Details => ({
  ...(marginBps !== undefined && { margin_bps: String(marginBps) }),
  ...(feeBps !== undefined && { fee_bps: String(feeBps) }),
  ...(feeFixed && { fee_fixed_minor: String(feeFixed.minor) }),
})

/** The inverse of `priceDetails`. */
export const pricesFromDetails = ({
  margin_bps: margin,
  fee_bps: bps,
  fee_fixed_minor: fixed,
}: Details): Partial<Prices> => ({
  ...(margin !== undefined && { marginBps: Number(margin) }),
  ...(bps !== undefined && { feeBps: Number(bps) }),
  ...(fixed !== undefined && { feeFixed: usdt(BigInt(fixed)) }),
})
