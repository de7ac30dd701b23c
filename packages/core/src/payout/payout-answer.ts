import type { Payout } from './payout.ts'

/** Nothing was written and the `transaction_id` stays free, unless a payout is named. @source spec §7 */
export type PayoutRefusal = {
  readonly type: 'refused'
  readonly code:
    | 'QUOTE_NOT_FOUND'
    | 'QUOTE_EXPIRED'
    | 'QUOTE_ALREADY_USED'
    | 'TRANSACTION_ID_REUSED'
    /** The caller was no longer allowed when the payout was about to be applied. */
    | 'AUTHENTICATION_FAILED'
  /** The same tenant's payout that has the `transaction_id` or the quote. */
  readonly payoutId: string | null
}

export type PayoutAnswer =
  | { readonly type: 'payout'; readonly payout: Payout; readonly replayed: boolean }
  | PayoutRefusal

export const refusePayout = (
  code: PayoutRefusal['code'],
  payoutId: string | null = null,
): PayoutRefusal => ({ type: 'refused', code, payoutId })
