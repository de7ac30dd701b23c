import type { SettingsShape } from '../check-settings.ts'
import type { Payout, RequestedPayout } from './payout.ts'

/** A validated `POST /payouts` of type `qr`. @source spec §4 */
export type PayoutRequest = RequestedPayout & {
  readonly content: string
  readonly description: string | null
  /**
   * The API key that sent it. The commit refuses one that was revoked or has expired. Left out by a caller that
   * authenticates otherwise.
   */
  readonly keyId?: string
  /** Digest of the request's body: distinguishes a repeated request from another one with the same id. */
  readonly fingerprint: string
}

/** Nothing was written; the `transaction_id` stays free unless `payoutId` names its payout. @source spec §7 */
export type PayoutRefusal = {
  readonly type: 'refused'
  readonly code:
    | 'QUOTE_NOT_FOUND'
    | 'QUOTE_EXPIRED'
    | 'QUOTE_ALREADY_USED'
    | 'TRANSACTION_ID_REUSED'
    /** The tenant is suspended, or the key was revoked or has expired, also while the QR was read. */
    | 'AUTHENTICATION_FAILED'
  /** The same tenant's payout that has the `transaction_id` or the quote. */
  readonly payoutId: string | null
}

/** The stored payout, in any status, or why there is none. */
export type PayoutAnswer =
  | { readonly type: 'payout'; readonly payout: Payout; readonly replayed: boolean }
  | PayoutRefusal

/** A refusal, with the tenant's payout that caused it. */
export const refusePayout = (code: PayoutRefusal['code'], payoutId: string | null = null): PayoutRefusal => ({
  type: 'refused',
  code,
  payoutId,
})

/** The environment, times and texts of payouts. */
export type PayoutSettings = {
  readonly environment: 'sandbox' | 'production'
  /** For how long the QR is read and the payment awaited, from the call on; then the payout is `processing`. */
  readonly answerWithinMs: number
  /** The lease of the request that accepts a payout, and how often the request renews it. */
  readonly leaseSeconds: number
  readonly renewEveryMs: number
  /** How long a resolution may stand in for reading the QR again. */
  readonly resolutionFreshSeconds: number
  /** Sent when neither the QR nor the request describes the payment: the network requires it. */
  readonly defaultDescription: string
}

/** The required members of `PayoutSettings`. */
export const payoutSettingsShape: SettingsShape<PayoutSettings> = {
  environment: ['sandbox', 'production'],
  answerWithinMs: 'positive',
  leaseSeconds: 'positive',
  renewEveryMs: 'positive',
  resolutionFreshSeconds: 'number',
  defaultDescription: 'string',
}

/** The default settings of payouts. */
export const defaultPayoutSettings: PayoutSettings = {
  environment: 'sandbox',
  answerWithinMs: 20_000,
  leaseSeconds: 15,
  renewEveryMs: 5_000,
  resolutionFreshSeconds: 60,
  defaultDescription: 'Pago QR',
}
