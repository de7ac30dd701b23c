import { expectPositive } from '../money.ts'
import type {
  PayoutDraft,
  PayoutErrorCode,
  PayoutQr,
  ProcessingPayout,
  PayoutStep,
  DeclineCode,
  DeclinedPayout,
} from './payout.ts'

/** One fixed sentence for each code: the network's own texts are not shown to tenants. */
export const payoutMessages: Readonly<Record<PayoutErrorCode, string>> = {
  QUOTE_AMOUNT_MISMATCH:
    'The QR is for another amount than the quote. Nothing was debited and the quote can still be used for the right QR.',
  QUOTE_RESOLUTION_MISMATCH:
    'The QR is another merchant’s than the resolution of the quote. Nothing was debited and the quote can still be used for the right QR.',
  QUOTE_EXPIRED: 'The quote expired before the payment. Nothing was debited.',
  QUOTE_ALREADY_USED: 'Another payment used the quote. Nothing was debited.',
  INSUFFICIENT_BALANCE: 'The available USDT is below the amount of the quote. Nothing was debited.',
  INSUFFICIENT_FUNDS: 'The service has no liquidity for this payment at the moment. Nothing was debited.',
  AMOUNT_EXCEEDS_PROVIDER_LIMIT: 'The payment is above the limit for one payment. Nothing was debited.',
  DAILY_LIMIT_EXCEEDED:
    'The payment is above a limit of the day, for the amount or the number of payments. Nothing was debited.',
  PAYMENT_CANCELLED: 'The payment ended before it was paid. Nothing was debited.',
  QR_REFUSED: 'The network refused the QR. Nothing was debited.',
  PAYMENT_FAILED: 'The network refused the payment. The held USDT was released.',
}

/**
 * Opens a payout: it is in `processing`, with a hold of its quote's source amount.
 *
 * @throws TypeError when the quote debits or pays nothing, or less
 */
export function openPayout(
  draft: PayoutDraft,
  accepted: Pick<ProcessingPayout, 'quote' | 'qr' | 'networkRef'>,
): PayoutStep<ProcessingPayout, null> {
  expectPositive('openPayout', accepted.quote.source)
  expectPositive('openPayout', draft.target)
  return {
    payout: { ...draft, ...accepted, status: 'processing' },
    transfer: { type: 'hold', amount: accepted.quote.source },
    event: null,
  }
}

/**
 * Remedies for a refused QR, where its content shows it: nothing is trimmed, and scanners add line ends.
 *
 * @returns a sentence after a blank, or an empty text
 */
export const refusedQrHint = (content: string): string =>
  /^\s|\s$/u.test(content)
    ? ' Its content begins or ends with white space or a byte order mark: send it as the QR has it.'
    : ''

/**
 * Rejects a payout whose QR the network refused. The answer has the outcome: no event. @source spec §3
 *
 * @param content  of the QR
 */
export const rejectPayout = (draft: PayoutDraft, at: Date, content = ''): PayoutStep<DeclinedPayout> => ({
  payout: {
    ...draft,
    status: 'rejected',
    quote: null,
    qr: null,
    error: { code: 'QR_REFUSED', message: payoutMessages.QR_REFUSED + refusedQrHint(content) },
    endedAt: at,
  },
  transfer: null,
  event: null,
})

/** Cancels a payout before it was accepted: without a hold and without using its quote. @source spec §3 */
export const cancelPayout = (
  draft: PayoutDraft,
  qr: PayoutQr,
  code: DeclineCode,
  at: Date,
): PayoutStep<DeclinedPayout> => ({
  payout: {
    ...draft,
    status: 'cancelled',
    quote: null,
    qr,
    error: { code, message: payoutMessages[code] },
    endedAt: at,
  },
  transfer: null,
  event: 'payout.cancelled',
})
