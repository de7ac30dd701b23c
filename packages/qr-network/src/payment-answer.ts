import { type Bob, parseMoney } from '@quipu/core'
import type { NetworkAnswer } from '@quipu/core/adapter'
import { z } from 'zod'
import { Id, misfit, Refusal } from './fields.ts'
import type { Reply } from './json-client.ts'

/** Which payment an answer must be about. */
export type Asked = { readonly reference: string; readonly networkRef: string }

type Unknown = Extract<NetworkAnswer, { type: 'unknown' }>

/**
 * What the network's reply to `PUT /v1/payments/{reference}` means.
 *
 * Only what was agreed means anything: 200 with a final outcome, 202 with `late`, 409 `CLOSED`,
 * 400, and a request that was never sent. Everything else is `unknown`.
 */
export function payAnswer(reply: Reply, asked: Asked): NetworkAnswer {
  if (reply.type === 'not_sent') return { type: 'not_sent', reason: reply.reason }
  if (reply.type === 'lost') return { type: 'unknown', reason: reply.reason }
  const { status, body } = reply
  const code = Refusal.safeParse(body).data?.code
  switch (status) {
    case 200:
    case 202: {
      const answer = paymentOf(body, asked)
      const fits = answer.type === 'unknown' || (answer.type === 'late') === (status === 202)
      return fits ? answer : unknown(`${answer.type} with status ${status}`)
    }
    case 400: // Any gateway may say 400; the network's own names a code.
      return code === undefined ? unstated(status) : { type: 'not_sent', reason: code }
    case 409:
      return code === 'CLOSED' ? { type: 'cancelled' } : unstated(status, code)
    default:
      return unstated(status, code)
  }
}

/** What the reply to `GET /v1/payments/{reference}` means. */
export function statusAnswer(reply: Reply, asked: Asked): NetworkAnswer | { type: 'not_seen' } {
  if (reply.type === 'answered' && reply.status === 404) {
    const code = Refusal.safeParse(reply.body).data?.code
    return code === 'NOT_SEEN' ? { type: 'not_seen' } : unstated(404, code)
  }
  return knownAnswer(reply, asked)
}

/** What the reply to `POST /v1/payments/{reference}/close` means. */
export const closeAnswer = (reply: Reply, asked: Asked): NetworkAnswer => knownAnswer(reply, asked)

function knownAnswer(reply: Reply, asked: Asked): NetworkAnswer {
  if (reply.type !== 'answered') return { type: 'unknown', reason: reply.reason }
  const { status, body } = reply
  if (status !== 200) return unstated(status, Refusal.safeParse(body).data?.code)
  const tombstone = Tombstone.safeParse(body).data
  if (!tombstone) return paymentOf(body, asked)
  const { reference = asked.reference, network_ref: networkRef } = tombstone
  return sameAs(asked, { reference, networkRef: networkRef ?? asked.networkRef })
    ? { type: 'cancelled' }
    : unknown('another payment')
}

const Payment = z.object({
  reference: Id,
  network_ref: Id,
  outcome: z.enum(['paid', 'refused_payment', 'refused_qr', 'no_liquidity', 'limit', 'late']),
  final: z.boolean(),
  amount: z.unknown(),
  currency: z.unknown(),
  network_payment_id: Id.nullable(),
})
type Payment = z.infer<typeof Payment>

/** What `close` leaves. Nothing may have been known under the reference, so it may say no more. */
const Tombstone = z.object({
  outcome: z.literal('closed_unpaid'),
  final: z.literal(true).optional(),
  reference: Id.optional(),
  network_ref: Id.nullish(),
})

function paymentOf(body: unknown, asked: Asked): NetworkAnswer {
  const parsed = Payment.safeParse(body)
  if (!parsed.success) return unknown(`answer does not fit: ${misfit(parsed.error)}`)
  const { reference, network_ref: networkRef, outcome, final } = parsed.data
  if (!sameAs(asked, { reference, networkRef })) return unknown('another payment')
  if (final !== (outcome !== 'late')) return unknown(`${outcome} with final ${final}`)
  if (outcome !== 'paid') return { type: outcome }
  return { type: 'paid', amount: amountOf(parsed.data), paymentId: parsed.data.network_payment_id }
}

/** Null when it is not an amount of bolivianos: paid is paid, and a person must look. */
const amountOf = ({ amount, currency }: Payment): Bob | null =>
  currency === 'BOB' && typeof amount === 'string' ? (parseMoney('BOB', amount) ?? null) : null

const sameAs = (asked: Asked, answered: Asked): boolean =>
  asked.reference === answered.reference && asked.networkRef === answered.networkRef

/** An answer that fits nothing that was agreed. */
const unknown = (reason: string): Unknown => ({ type: 'unknown', reason, breach: true })

/** A status that was not agreed on. One of 500 and above only says that there is no answer now. */
function unstated(status: number, code = 'no code'): Unknown {
  const reason = `status ${status}, ${code.slice(0, 64)}`
  return status >= 500 ? { type: 'unknown', reason } : unknown(reason)
}
