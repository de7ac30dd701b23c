import { hash } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../../json-server.ts'
import { formatBob, PositiveBobAmount } from './amount.ts'
import type { Network } from '../network.ts'
import type { CancelledReference, Payment } from './payment.ts'
import type { QrCode } from '../qr/qr-code.ts'
import { planOf, type AnswerFault, type Outcome, type Plan } from '../qr/scenario.ts'

const Order = z.strictObject({
  content: z.string().min(1).max(500),
  network_ref: z.string(),
  amount: PositiveBobAmount,
  currency: z.literal('BOB'),
  description: z.string().min(1).max(200).nullish(),
})
type Order = z.infer<typeof Order>

/** A new payment, the stored payment of a repeated order, or a dropped request. */
export type PayResult =
  | { readonly type: 'created'; readonly payment: Payment; readonly answerFault: AnswerFault | undefined }
  | { readonly type: 'replayed'; readonly payment: Payment }
  | { readonly type: 'dropped' }

/**
 * Pays an order at most once per reference. Reading and writing the ledger is one synchronous step,
 * so concurrent orders and cancellations are serialized.
 *
 * @throws Refusal 400 without effect; 409 `REFERENCE_REUSED`, `CLOSED`
 */
export function payOrder(network: Network, reference: string, body: unknown): PayResult {
  const order = Order.parse(body)
  const fingerprint = fingerprintOf(order)
  const known = network.ledger.find(reference)
  if (known) return { type: 'replayed', payment: sameOrder(known, fingerprint) }
  const code = decode(network, order)
  const description = descriptionOf(code, order)
  const plan = planOf(code.scenario)
  if (plan.dropRequest) return { type: 'dropped' }
  const hasWrongAmount = plan.wrongAmount ?? network.faults.take('wrong_amount')
  const amount = hasWrongAmount ? order.amount + 100n : order.amount
  const outcome = outcomeOf(network, code, plan, amount)
  const finalOutcome = outcome === 'pending' ? (plan.finalOutcome ?? null) : null
  const payment = network.ledger.record({
    reference,
    networkRef: order.network_ref,
    fingerprint,
    outcome,
    finalOutcome,
    settleAt: finalOutcome && network.timers.now() + network.lateMs,
    requested: order.amount,
    amount,
    currency: plan.wrongCurrency ? 'USD' : 'BOB',
    description,
    merchant: code.merchant,
  })
  network.paymentRecorded(payment)
  return { type: 'created', payment, answerFault: answerFaultOf(network, plan, outcome) }
}

/** A digest of all members, so that only an equal order is a repetition. */
const fingerprintOf = ({ content, network_ref, amount, description }: Order): string =>
  hash('sha256', JSON.stringify([content, network_ref, amount.toString(), description ?? null]), 'base64url')

function sameOrder(known: Payment | CancelledReference, fingerprint: string): Payment {
  if (known.outcome === 'closed_unpaid')
    throw new Refusal(409, 'CLOSED', 'The reference was cancelled without a payment.')
  if (known.fingerprint !== fingerprint) throw new Refusal(409, 'REFERENCE_REUSED', 'The reference has another order.')
  return known
}

function decode({ codec, refs }: Network, { content, network_ref }: Order): QrCode {
  const code = refs.issued(network_ref, content) ? codec.decode(content) : null
  if (code) return code
  const message = 'network_ref was not issued for this content.'
  throw new Refusal(400, 'UNKNOWN_NETWORK_REF', message)
}

/** Checks the amount. @returns the QR's description, or else that of the order */
function descriptionOf(code: QrCode, order: Order): string {
  if (code.amount !== null && code.amount !== order.amount) {
    const message = `The QR is for ${formatBob(code.amount)}.`
    throw new Refusal(400, 'AMOUNT_MISMATCH', message)
  }
  const description = code.description ?? order.description
  if (description) return description
  throw new Refusal(400, 'DESCRIPTION_REQUIRED', 'The QR has no description and none was sent.')
}

/** Highest amount of one payment: 50,000.00 BOB. */
const maxAmount = 5_000_000n

function outcomeOf(network: Network, code: QrCode, plan: Plan, amount: bigint): Outcome {
  if (code.expiresAt <= network.timers.now()) return 'refused_qr'
  if (plan.outcome !== 'paid' && plan.outcome !== 'pending') return plan.outcome
  if (amount > maxAmount) return 'limit'
  if (amount > network.ledger.available()) return 'no_liquidity'
  return plan.outcome
}

function answerFaultOf({ faults }: Network, plan: Plan, outcome: Outcome): AnswerFault | undefined {
  if (outcome !== 'paid') return undefined
  if (faults.take('drop_answer_after_paying')) return 'drop'
  if (faults.take('error_after_paying')) return 'error'
  if (faults.take('garble_after_paying')) return 'garble'
  return plan.answerFault
}
