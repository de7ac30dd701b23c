import { formatBob } from './amount.ts'
import type { FinalOutcome, Outcome } from '../qr/scenario.ts'

/** A stored payment. Amounts in centavos, times in milliseconds. */
export type Payment = {
  readonly reference: string
  readonly networkRef: string
  /** Digest of its order; another order under the reference is refused. */
  readonly fingerprint: string
  readonly outcome: Outcome
  /** The scheduled outcome of a late payment and its time; both null without a schedule. */
  readonly finalOutcome: FinalOutcome | null
  readonly settleAt: number | null
  /** The requested amount; `amount` is paid and reported. */
  readonly requested: bigint
  readonly amount: bigint
  readonly currency: 'BOB' | 'USD'
  readonly description: string
  readonly merchant: { readonly name: string; readonly bankCode: string }
  /** Position among the paid payments; null if never paid. */
  readonly sequence: number | null
  readonly timesPaid: number
  readonly paidAt: number | null
  readonly updatedAt: number
}

/** A cancelled reference: no payment can follow under it. */
export type CancelledReference = {
  readonly reference: string
  readonly outcome: 'closed_unpaid'
  readonly updatedAt: number
}

/** A payment as answered. Final outcomes change only by `/sim/settle` with `force`. */
export type PaymentJson = {
  readonly reference: string
  readonly network_ref: string | null
  readonly outcome: Outcome | 'closed_unpaid'
  readonly final: boolean
  readonly amount: string | null
  readonly currency: string | null
  readonly network_payment_id: string | null
  readonly network_code: string
  readonly message: string
  readonly paid_at: string | null
  readonly updated_at: string
}

/** assumed: two-digit codes like those of ATC. */
const responseCodes: Record<PaymentJson['outcome'], readonly [code: string, message: string]> = {
  paid: ['00', 'Paid.'],
  refused_qr: ['09', 'The QR is not payable.'],
  refused_payment: ['05', 'The payment was refused.'],
  no_liquidity: ['13', 'The paying account has not enough balance.'],
  limit: ['61', 'The amount is above the limit of one payment.'],
  pending: ['94', 'The result is not confirmed yet.'],
  closed_unpaid: ['17', 'The reference was cancelled without a payment.'],
}

export function paymentJson(payment: Payment | CancelledReference): PaymentJson {
  const { reference, outcome, updatedAt } = payment
  const [network_code, message] = responseCodes[outcome]
  const paymentOrNull = 'networkRef' in payment ? payment : null
  return {
    reference,
    network_ref: paymentOrNull?.networkRef ?? null,
    outcome,
    final: outcome !== 'pending',
    amount: paymentOrNull && formatBob(paymentOrNull.amount),
    currency: paymentOrNull?.currency ?? null,
    network_payment_id: paymentOrNull && outcome === 'paid' ? networkPaymentId(paymentOrNull) : null,
    network_code,
    message,
    paid_at: paymentOrNull && outcome === 'paid' ? instant(paymentOrNull.paidAt) : null,
    updated_at: new Date(updatedAt).toISOString(),
  }
}

export const networkPaymentId = ({ sequence }: Payment): string | null =>
  sequence === null ? null : `QN${sequence.toString().padStart(10, '0')}`

export const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
