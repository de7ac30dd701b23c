import type { PayoutErrorCode } from '@quipu/core'
import type { Explanation } from './explanation.ts'

const payAgain = 'pay with a new `transaction_id`'

/** The codes of payouts that were not paid. @source spec §7 Payment failure codes */
export const payoutExplanations: Readonly<Record<PayoutErrorCode, Explanation>> = {
  QUOTE_AMOUNT_MISMATCH: {
    when: 'The QR fixes another amount than the quote has. `target` of the payout shows the amount of the QR.',
    debited: 'nothing',
    remedy: `Get a quote with the \`resolution_id\` of this QR, have it accepted, and ${payAgain}. The quote of this payout can still pay a QR of its own amount.`,
    retry: 'changed',
  },
  QUOTE_RESOLUTION_MISMATCH: {
    when: 'The quote names a resolution, and the QR is another merchant’s: another bank or another name.',
    debited: 'nothing',
    remedy: `Compare the two merchants. Get a quote with the \`resolution_id\` of this QR, have it accepted, and ${payAgain}. The quote of this payout can still pay the QR that it names.`,
    retry: 'changed',
  },
  QUOTE_EXPIRED: {
    when: 'The quote expired while the payment was being prepared.',
    debited: 'nothing',
    remedy: `Get a new quote, have it accepted, and ${payAgain}.`,
    retry: 'changed',
  },
  QUOTE_ALREADY_USED: {
    when: 'Another payment used the quote while this one was being prepared.',
    debited: 'nothing',
    remedy: `Check whether the other payment is the one that you mean. If not, get a new quote and ${payAgain}.`,
    retry: 'changed',
  },
  INSUFFICIENT_BALANCE: {
    when: 'The available USDT of your wallet was below the `source` of the quote. USDT that other payments hold is not available.',
    debited: 'nothing',
    remedy: `Send USDT to your top-up address, wait for \`deposit.credited\`, get a new quote, and ${payAgain}.`,
    retry: 'changed',
  },
  INSUFFICIENT_FUNDS: {
    when: 'The service itself had no bolivianos at hand for the payment. It does not concern your wallet.',
    debited: 'nothing',
    remedy: `Inform the operator of the service. Later get a new quote and ${payAgain}.`,
    retry: 'changed',
  },
  AMOUNT_EXCEEDS_PROVIDER_LIMIT: {
    when: 'The amount is above a limit of the network, or above the `payment_cap` of your wallet.',
    debited: 'nothing',
    remedy: `Compare with \`payment_cap\` of \`GET /v1/wallets\`, pay less, and ${payAgain}.`,
    retry: 'changed',
  },
  DAILY_LIMIT_EXCEEDED: {
    when: 'With this payment the payments of the day would be above a limit of your wallet, for their amount or for their number.',
    debited: 'nothing',
    remedy: `Compare \`daily_limits\` with \`used_today\` of \`GET /v1/wallets\`. The day ends at midnight in UTC; after that get a new quote and ${payAgain}. Splitting the payment does not help against a limit of their number.`,
    retry: 'changed',
  },
  PAYMENT_CANCELLED: {
    when: 'The network proved that the payment was not made and never will be.',
    debited: 'released',
    remedy: `Get a new quote, have it accepted, and ${payAgain}.`,
    retry: 'changed',
  },
  QR_REFUSED: {
    when: 'The network refuses the QR: it is unreadable, expired, used up, or not in bolivianos. The payout is `rejected`, without an event; when it refuses after the request was answered, the payout is `failed` with `PAYMENT_FAILED` instead.',
    debited: 'nothing',
    remedy: 'Have the merchant show another QR, and read it before you quote.',
    retry: 'changed',
  },
  PAYMENT_FAILED: {
    when: 'The network accepted the QR and refused the payment.',
    debited: 'released',
    remedy: `Get a new quote and ${payAgain}. If it fails again, have the merchant show another QR.`,
    retry: 'changed',
  },
}
