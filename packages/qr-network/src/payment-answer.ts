import { type Bob, parseMoney } from '@quipu/core'
import type { NetworkAnswer, PaymentOutcome } from '@quipu/core/adapter'
import { z } from 'zod'
import { Id, invalidMembers, Refusal } from './fields.ts'
import type { Reply } from '@quipu/http-json'

/** The payment that an answer must be about. */
export type PaymentKey = { readonly reference: string; readonly networkRef: string }

type Unknown = Extract<NetworkAnswer, { type: 'unknown' }>

/**
 * Interprets the reply to `PUT /v1/payments/{reference}`.
 *
 * The agreed replies are 200 with a final outcome, 202 with `pending`, 409 `CLOSED`, and 400 with a
 * code. A request that was not sent is `not_sent`; every other reply is `unknown`.
 */
export function payAnswer(reply: Reply, key: PaymentKey): NetworkAnswer {
  if (reply.type === 'not_sent') return { type: 'not_sent', reason: reply.reason }
  if (reply.type === 'lost') return { type: 'unknown', reason: reply.reason }
  const { status, body } = reply
  const code = Refusal.safeParse(body).data?.code
  switch (status) {
    case 200:
    case 202: {
      const answer = paymentOf(body, key)
      const matches = answer.type === 'unknown' || (answer.type === 'pending') === (status === 202)
      return matches ? answer : unknown(`${answer.type} with status ${status}`)
    }
    case 400: // Any gateway can answer 400; only the network adds a code.
      return code === undefined ? unexpectedStatus(status) : { type: 'not_sent', reason: code }
    case 409:
      return code === 'CLOSED' ? { type: 'cancelled' } : unexpectedStatus(status, code)
    default:
      return unexpectedStatus(status, code)
  }
}

/** Interprets the reply to `GET /v1/payments/{reference}`. */
export function statusAnswer(reply: Reply, key: PaymentKey): NetworkAnswer | { type: 'not_seen' } {
  if (reply.type === 'answered' && reply.status === 404) {
    const code = Refusal.safeParse(reply.body).data?.code
    return code === 'NOT_SEEN' ? { type: 'not_seen' } : unexpectedStatus(404, code)
  }
  return knownAnswer(reply, key)
}

/** Interprets the reply to `POST /v1/payments/{reference}/close`. */
export const cancelAnswer = (reply: Reply, key: PaymentKey): NetworkAnswer => knownAnswer(reply, key)

function knownAnswer(reply: Reply, key: PaymentKey): NetworkAnswer {
  if (reply.type !== 'answered') return { type: 'unknown', reason: reply.reason }
  const { status, body } = reply
  if (status !== 200) return unexpectedStatus(status, Refusal.safeParse(body).data?.code)
  const cancelled = Cancelled.safeParse(body).data
  if (!cancelled) return paymentOf(body, key)
  const { reference = key.reference, network_ref: networkRef } = cancelled
  return sameAs(key, { reference, networkRef: networkRef ?? key.networkRef })
    ? { type: 'cancelled' }
    : unknown('another payment')
}

/** The network's outcomes of a payment; the type adds a missing one of the core as an error. */
const outcomes = {
  paid: 'paid',
  refused_payment: 'refused_payment',
  refused_qr: 'refused_qr',
  no_liquidity: 'no_liquidity',
  limit: 'limit',
  pending: 'pending',
} as const satisfies { readonly [T in PaymentOutcome]: T }

const Payment = z.object({
  reference: Id,
  network_ref: Id,
  outcome: z.enum(outcomes),
  final: z.boolean(),
  amount: z.unknown(),
  currency: z.unknown(),
  network_payment_id: Id.nullable(),
})
type Payment = z.infer<typeof Payment>

/** A cancelled reference. Other members are missing if the network never saw an order for it. */
const Cancelled = z.object({
  outcome: z.literal('closed_unpaid'),
  final: z.literal(true).optional(),
  reference: Id.optional(),
  network_ref: Id.nullish(),
})

function paymentOf(body: unknown, key: PaymentKey): NetworkAnswer {
  const parsed = Payment.safeParse(body)
  if (!parsed.success) return unknown(`invalid answer: ${invalidMembers(parsed.error)}`)
  const { reference, network_ref: networkRef, outcome, final } = parsed.data
  if (!sameAs(key, { reference, networkRef })) return unknown('another payment')
  if (final !== (outcome !== 'pending')) return unknown(`${outcome} with final ${final}`)
  if (outcome !== 'paid') return { type: outcome }
  return { type: 'paid', amount: amountOf(parsed.data), paymentId: parsed.data.network_payment_id }
}

/** Null if it is no amount in BOB: the core does not settle by it, and raises an alert. */
const amountOf = ({ amount, currency }: Payment): Bob | null =>
  currency === 'BOB' && typeof amount === 'string' ? (parseMoney('BOB', amount) ?? null) : null

const sameAs = (key: PaymentKey, answered: PaymentKey): boolean =>
  key.reference === answered.reference && key.networkRef === answered.networkRef

/** A reply that breaches the contract. */
const unknown = (reason: string): Unknown => ({ type: 'unknown', reason, breach: true })

/** A status outside the contract. From 500 on it counts as no answer, below as a breach. */
function unexpectedStatus(status: number, code = 'no code'): Unknown {
  const reason = `status ${status}, ${Array.from(code).slice(0, 64).join('')}`
  return status >= 500 ? { type: 'unknown', reason } : unknown(reason)
}
