import { formatBob } from './amount.ts'
import type { FinalOutcome, Outcome } from '../qr/scenario.ts'

/** A payment as the network keeps it. Amounts in centavos, times in milliseconds. */
export type Payment = {
  readonly reference: string
  readonly networkRef: string
  /** Of the request that made it; another request under the reference is refused. */
  readonly fingerprint: string
  readonly outcome: Outcome
  /** How a late payment will end, and when; both null when only by hand. */
  readonly then: FinalOutcome | null
  readonly settleAt: number | null
  /** What was asked for; `amount` is what is moved and reported. */
  readonly requested: bigint
  readonly amount: bigint
  readonly currency: 'BOB' | 'USD'
  readonly description: string
  readonly merchant: { readonly name: string; readonly bankCode: string }
  /** Its place in the order of payments made; null while nothing was paid. */
  readonly sequence: number | null
  readonly timesPaid: number
  readonly paidAt: number | null
  readonly updatedAt: number
}

/** The tombstone that `close` leaves: no payment can follow under this reference. */
export type Closed = {
  readonly reference: string
  readonly outcome: 'closed_unpaid'
  readonly updatedAt: number
}

/** A payment as the network answers it. Final answers never change, but for `/sim/settle` by force. */
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

/** assumed: two digits in the manner of ATC's, where one of those exists. */
const said: Record<PaymentJson['outcome'], readonly [code: string, message: string]> = {
  paid: ['00', 'Paid.'],
  refused_qr: ['09', 'The QR is not payable.'],
  refused_payment: ['05', 'The payment was refused.'],
  no_liquidity: ['13', 'The paying account has not enough balance.'],
  limit: ['61', 'The amount is above the limit of one payment.'],
  late: ['94', 'The result is not confirmed yet.'],
  closed_unpaid: ['17', 'The reference was closed unpaid.'],
}

export function paymentJson(payment: Payment | Closed): PaymentJson {
  const { reference, outcome, updatedAt } = payment
  const [network_code, message] = said[outcome]
  const made = 'networkRef' in payment ? payment : null
  return {
    reference,
    network_ref: made?.networkRef ?? null,
    outcome,
    final: outcome !== 'late',
    amount: made && formatBob(made.amount),
    currency: made?.currency ?? null,
    network_payment_id: made && outcome === 'paid' ? networkPaymentId(made) : null,
    network_code,
    message,
    paid_at: made && outcome === 'paid' ? instant(made.paidAt) : null,
    updated_at: new Date(updatedAt).toISOString(),
  }
}

export const networkPaymentId = ({ sequence }: Payment): string | null =>
  sequence === null ? null : `QN${sequence.toString().padStart(10, '0')}`

export const instant = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString()
