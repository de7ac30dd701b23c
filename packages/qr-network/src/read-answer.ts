import { Unavailable } from '@quipu/core'
import type { QrRead, QrRefused } from '@quipu/core/adapter'
import { z } from 'zod'
import { Id, invalidMembers, Merchant, PositiveBolivianos, Refusal, Shown, ShownInstant } from './fields.ts'
import type { Reply } from '@quipu/http-json'

/**
 * Interprets the reply to `POST /v1/qr/read`.
 *
 * A reading whose facts are invalid is refused: the network answers the same to every retry.
 *
 * @throws Unavailable unless the reply is a reading, or a 422 with a code
 */
export function readAnswer(reply: Reply): QrRead | QrRefused {
  const body = expectJson(reply, [200, 422])
  if (body.status === 422) {
    return { type: 'refused_qr', reason: expectShape(Refusal, body.json).code }
  }
  expectShape(Reading, body.json)
  const parsed = Read.safeParse(body.json)
  if (parsed.success) return parsed.data
  const { currency } = Currency.safeParse(body.json).data ?? { currency: 'BOB' }
  const invalid = `invalid answer: ${invalidMembers(parsed.error)}`
  return { type: 'refused_qr', reason: currency === 'BOB' ? invalid : 'QR_CURRENCY' }
}

/** Members that only the network writes, and no gateway in front of it. */
const Reading = z.object({ network_ref: z.string() })

const Currency = z.object({ currency: Id })

const Read = z
  .object({
    network_ref: Id,
    amount_mode: z.enum(['closed', 'open']),
    amount: PositiveBolivianos.nullable(),
    currency: z.literal('BOB'),
    merchant: Merchant,
    description: Shown,
    expires_at: ShownInstant,
  })
  .refine(({ amount_mode, amount }) => (amount_mode === 'closed') === (amount !== null), { path: ['amount'] })
  .transform((read): QrRead => ({
    type: 'read',
    networkRef: read.network_ref,
    amountMode: read.amount_mode,
    amount: read.amount,
    merchant: read.merchant,
    description: read.description === '' ? null : read.description,
    expiresAt: read.expires_at,
  }))

/** @returns the body of a reply with one of these statuses. @throws Unavailable for any other reply */
export function expectJson(reply: Reply, statuses: readonly number[]): { status: number; json: unknown } {
  if (reply.type !== 'answered') throw new Unavailable('qr_network', reply.reason)
  const { status, body } = reply
  if (!statuses.includes(status)) throw new Unavailable('qr_network', `status ${status}`)
  return { status, json: body }
}

/** @throws Unavailable if the value is invalid */
export function expectShape<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Unavailable('qr_network', `invalid answer: ${invalidMembers(parsed.error)}`)
}
