import type { Payout } from './payout.ts'

/** Nothing was written; the `transaction_id` stays free unless `payoutId` names its payout. @source spec §7 */
export type PayoutRefusal = {
  readonly type: 'refused'
  readonly code:
    | 'QUOTE_NOT_FOUND'
    | 'QUOTE_EXPIRED'
    | 'QUOTE_ALREADY_USED'
    | 'TRANSACTION_ID_REUSED'
    /** The caller's permission ended before the payout was applied. */
    | 'AUTHENTICATION_FAILED'
  /** The same tenant's payout that has the `transaction_id` or the quote. */
  readonly payoutId: string | null
}

/** The stored payout, in any status, or why there is none. */
export type PayoutAnswer =
  | { readonly type: 'payout'; readonly payout: Payout; readonly replayed: boolean }
  | PayoutRefusal

/** A refusal, with the tenant's payout that caused it. */
export const refusePayout = (
  code: PayoutRefusal['code'],
  payoutId: string | null = null,
): PayoutRefusal => ({ type: 'refused', code, payoutId })
