import { bob, type Payout, type PayoutErrorCode } from '@quipu/core'
import type { EndedPayout, PayoutDraft, StoredPayout } from '@quipu/core/adapter'
import { quoteColumns, quoteFromRow, type QuoteRow } from '../quote/quote-row.ts'
import { labelsFromDetails, type PayoutDetails, qrFromDetails } from './payout-details.ts'

/** A payout, its end and its quote, as `payoutColumns` names them. */
export type PayoutRow = QuoteRow & {
  readonly id: string
  readonly tenant_id: string
  readonly transaction_id: string
  readonly fingerprint: string
  readonly payout_quote_id: string
  readonly resolution_of_payout: string | null
  readonly key_id: string | null
  readonly target: bigint
  readonly created_at: Date
  readonly accepted: boolean
  readonly details: PayoutDetails
  readonly status: EndedPayout['status'] | null
  readonly error_code: PayoutErrorCode
  readonly error_message: string
  readonly ended_at: Date
  readonly network_payment_id: string | null
  readonly end_network_ref: string | null
}

/** The columns of `payoutTables` that `payoutFromRow` needs. */
export const payoutColumns: string = `
  p.id, p.tenant_id, p.transaction_id, p.fingerprint, p.quote_id as payout_quote_id,
  p.resolution_id as resolution_of_payout, p.key_id, p.target, p.created_at, p.hold is not null as accepted, p.details,
  e.status, e.error_code, e.error_message, e.ended_at, e.network_payment_id,
  e.network_ref as end_network_ref,
  ${quoteColumns}`

/** @param payouts a table or common table expression with the columns of `quipu.payout` */
export const payoutTables = (payouts: string): string => `
  ${payouts} p
  left join quipu.payout_end e on e.payout_id = p.id and e.tenant_id = p.tenant_id
  left join quipu.quote q on p.hold is not null and q.id = p.quote_id and q.tenant_id = p.tenant_id`

/** Reads a payout from its row. */
export function payoutFromRow(row: PayoutRow): Payout {
  const draft: PayoutDraft = {
    id: row.id,
    tenantId: row.tenant_id,
    transactionId: row.transaction_id,
    quoteId: row.payout_quote_id,
    resolutionId: row.resolution_of_payout,
    keyId: row.key_id,
    target: bob(row.target),
    createdAt: row.created_at,
    ...labelsFromDetails(row.details),
  }
  const qr = qrFromDetails(row.details)
  const end = endFromRow(row)
  if (row.accepted) {
    const accepted = { quote: quoteFromRow(row), qr, networkRef: row.end_network_ref ?? row.details.network_ref }
    // The check constraints allow only the combinations that the type allows.
    return { ...draft, ...accepted, ...end } as Payout
  }
  if (row.status !== 'cancelled' && row.status !== 'rejected')
    throw new Error(`a payout without a hold is ${row.status ?? 'processing'}`)
  return { ...draft, quote: null, qr, ...end } as Payout
}

function endFromRow(row: PayoutRow): object {
  switch (row.status) {
    case null:
      return { status: 'processing' }
    case 'completed':
      return { status: row.status, endedAt: row.ended_at, networkPaymentId: row.network_payment_id }
    case 'failed':
    case 'rejected':
    case 'cancelled':
      return { status: row.status, error: { code: row.error_code, message: row.error_message }, endedAt: row.ended_at }
  }
}

/**
 * As `payoutColumns`, for `storedPayoutTables`.
 *
 * @param clockOverride the parameter that replaces the database's clock, such as `$3`
 */
export const storedPayoutColumns = (clockOverride: string): string =>
  `${payoutColumns}, coalesce(e.status is null and case when o.payout_id is null
      then p.leased_until > quipu.store_now(${clockOverride})
      else o.leased and o.due_at > quipu.store_now(${clockOverride}) end, false) as leased,
  extract(epoch from quipu.store_now(${clockOverride}) - p.created_at)::float8 * 1000 as age_ms`

export const storedPayoutTables: string = `${payoutTables('quipu.payout')}
  left join quipu.payout_open o on o.payout_id = p.id and o.tenant_id = p.tenant_id`

export type StoredPayoutRow = PayoutRow & { readonly leased: boolean; readonly age_ms: number }

export const storedPayoutFromRow = (row: StoredPayoutRow): StoredPayout => ({
  payout: payoutFromRow(row),
  fingerprint: row.fingerprint,
  leased: row.leased,
  ageMs: row.age_ms,
})
