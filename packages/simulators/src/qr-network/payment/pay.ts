import { hash } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../../json-server.ts'
import { formatBob, PositiveBobAmount } from './amount.ts'
import type { Network } from '../network.ts'
import type { Closed, Payment } from './payment.ts'
import type { QrCode } from '../qr/qr-code.ts'
import { planOf, type Mishap, type Outcome, type Plan } from '../qr/scenario.ts'

const Order = z.strictObject({
  content: z.string().min(1).max(500),
  network_ref: z.string(),
  amount: PositiveBobAmount,
  currency: z.literal('BOB'),
  description: z.string().min(1).max(200).nullish(),
})
type Order = z.infer<typeof Order>

/** A payment that was made now, one that was known before, or nothing at all. */
export type Paid =
  | { readonly type: 'made'; readonly payment: Payment; readonly mishap: Mishap | undefined }
  | { readonly type: 'replayed'; readonly payment: Payment }
  | { readonly type: 'dropped' }

/**
 * Pays an order under its reference, at most once. One synchronous step from looking at the
 * ledger to writing it: equal orders that arrive together, or a `close`, come before or after it.
 *
 * @throws Refusal 400 and nothing is stored; 409 `REFERENCE_REUSED`, `CLOSED`
 */
export function payOrder(network: Network, reference: string, body: unknown): Paid {
  const order = Order.parse(body)
  const fingerprint = fingerprintOf(order)
  const known = network.ledger.find(reference)
  if (known) return { type: 'replayed', payment: replayable(known, fingerprint) }
  const code = readable(network, order)
  const description = agreed(code, order)
  const plan = planOf(code.scenario)
  if (plan.dropFirst) return { type: 'dropped' }
  const wrong = plan.wrongAmount ?? network.faults.take('wrong_amount')
  const amount = wrong ? order.amount + 100n : order.amount
  const outcome = outcomeOf(network, code, plan, amount)
  const then = outcome === 'late' ? (plan.then ?? null) : null
  const payment = network.ledger.record({
    reference,
    networkRef: order.network_ref,
    fingerprint,
    outcome,
    then,
    settleAt: then && network.timers.now() + network.lateMs,
    requested: order.amount,
    amount,
    currency: plan.wrongCurrency ? 'USD' : 'BOB',
    description,
    merchant: code.merchant,
  })
  network.recorded(payment)
  return { type: 'made', payment, mishap: mishapOf(network, plan, outcome) }
}

/** Everything the order says, so that only the same order is the same request. */
const fingerprintOf = ({ content, network_ref, amount, description }: Order): string =>
  hash(
    'sha256',
    JSON.stringify([content, network_ref, amount.toString(), description ?? null]),
    'base64url',
  )

function replayable(known: Payment | Closed, fingerprint: string): Payment {
  if (known.outcome === 'closed_unpaid')
    throw new Refusal(409, 'CLOSED', 'The reference was closed unpaid.')
  if (known.fingerprint !== fingerprint)
    throw new Refusal(409, 'REFERENCE_REUSED', 'The reference has another order.')
  return known
}

function readable({ codec, refs }: Network, { content, network_ref }: Order): QrCode {
  const code = refs.issued(network_ref, content) ? codec.decode(content) : null
  if (code) return code
  const message = 'network_ref was not issued for this content.'
  throw new Refusal(400, 'UNKNOWN_NETWORK_REF', message)
}

/** @returns the description that goes with the payment: the QR's own comes first */
function agreed(code: QrCode, order: Order): string {
  if (code.amount !== null && code.amount !== order.amount) {
    const message = `The QR is for ${formatBob(code.amount)}.`
    throw new Refusal(400, 'AMOUNT_MISMATCH', message)
  }
  const description = code.description ?? order.description
  if (description) return description
  throw new Refusal(400, 'DESCRIPTION_REQUIRED', 'The QR has no description and none was sent.')
}

function outcomeOf(network: Network, code: QrCode, plan: Plan, amount: bigint): Outcome {
  if (code.expiresAt <= network.timers.now()) return 'refused_qr'
  if (plan.outcome !== 'paid' && plan.outcome !== 'late') return plan.outcome
  if (amount > network.maxAmount) return 'limit'
  if (amount > network.ledger.available()) return 'no_liquidity'
  return plan.outcome
}

function mishapOf({ faults }: Network, plan: Plan, outcome: Outcome): Mishap | undefined {
  if (outcome !== 'paid') return undefined
  if (faults.take('drop_answer_after_paying')) return 'drop'
  if (faults.take('error_after_paying')) return 'error'
  if (faults.take('garble_after_paying')) return 'garble'
  return plan.mishap
}
