import { bob, type Quote, type Resolution, usdt, rate } from '@quipu/core'
import type { QuoteView } from '@quipu/core/adapter'

/** A row of `quipu.quote`, as `quoteColumns` names it. */
export type QuoteRow = {
  readonly quote_id: string
  readonly quote_tenant_id: string
  readonly quote_resolution_id: string | null
  readonly quote_rate: bigint
  readonly quote_target: bigint
  readonly quote_principal: bigint
  readonly quote_fee: bigint
  readonly quote_source: bigint
  readonly quote_bid: bigint
  readonly quote_rate_source: string
  readonly quote_created_at: Date
  readonly quote_expires_at: Date
}

const columns = [
  'id',
  'tenant_id',
  'resolution_id',
  'rate',
  'target',
  'principal',
  'fee',
  'source',
  'bid',
  'rate_source',
  'created_at',
  'expires_at',
]

/** The columns of table `q` that `quoteFromRow` needs. */
export const quoteColumns: string = columns.map((name) => `q.${name} as quote_${name}`).join(', ')

export const quoteFromRow = (row: QuoteRow): Quote => ({
  id: row.quote_id,
  tenantId: row.quote_tenant_id,
  resolutionId: row.quote_resolution_id,
  rate: rate(row.quote_rate),
  target: bob(row.quote_target),
  principal: usdt(row.quote_principal),
  fee: usdt(row.quote_fee),
  source: usdt(row.quote_source),
  bid: rate(row.quote_bid),
  rateSource: row.quote_rate_source,
  createdAt: row.quote_created_at,
  expiresAt: row.quote_expires_at,
})

/** A quote with its state by the store's clock, as `quoteViewColumns` names it. */
export type QuoteViewRow = QuoteRow & { readonly quote_payout_id: string | null; readonly quote_expired: boolean }

/**
 * As `quoteColumns`, with the payout that used the quote.
 *
 * @param clockOverride the parameter that replaces the database's clock, such as `$3`
 */
export const quoteViewColumns = (clockOverride: string): string =>
  `${quoteColumns}, (
    select used.id from quipu.payout used
    where used.quote_id = q.id and used.tenant_id = q.tenant_id and used.hold is not null
  ) as quote_payout_id,
  q.expires_at <= quipu.store_now(${clockOverride}) as quote_expired`

export const quoteViewFromRow = (row: QuoteViewRow): QuoteView => ({
  quote: quoteFromRow(row),
  status: row.quote_payout_id !== null ? 'used' : row.quote_expired ? 'expired' : 'open',
  payoutId: row.quote_payout_id,
})

/** A row of `quipu.qr_resolution`, as `resolutionColumns` names it. */
export type ResolutionRow = {
  readonly resolution_id: string
  readonly resolution_tenant_id: string
  readonly resolution_network_ref: string
  readonly resolution_amount_mode: Resolution['amountMode']
  readonly resolution_amount: bigint | null
  readonly resolution_merchant_name: string
  readonly resolution_bank_code: string
  readonly resolution_description: string | null
  readonly resolution_expires_at: Date | null
  readonly resolution_content_hash: string
  readonly resolution_created_at: Date
}

const resolutionNames = [
  'id',
  'tenant_id',
  'network_ref',
  'amount_mode',
  'amount',
  'merchant_name',
  'bank_code',
  'description',
  'expires_at',
  'content_hash',
  'created_at',
]

/** The columns of table `r` that `resolutionFromRow` needs. */
export const resolutionColumns: string = resolutionNames.map((name) => `r.${name} as resolution_${name}`).join(', ')

export const resolutionFromRow = (row: ResolutionRow): Resolution => ({
  id: row.resolution_id,
  tenantId: row.resolution_tenant_id,
  networkRef: row.resolution_network_ref,
  amountMode: row.resolution_amount_mode,
  amount: row.resolution_amount === null ? null : bob(row.resolution_amount),
  merchant: { name: row.resolution_merchant_name, bankCode: row.resolution_bank_code },
  description: row.resolution_description,
  expiresAt: row.resolution_expires_at,
  contentHash: row.resolution_content_hash,
  createdAt: row.resolution_created_at,
})
