import { Unavailable } from '@quipu/core'
import type { QrRead, QrRefused } from '@quipu/core/adapter'
import { z } from 'zod'
import { Id, Instant, invalidMembers, PositiveBolivianos, Refusal, Text } from './fields.ts'
import type { Reply } from './json-client.ts'

/** Interprets the reply to `POST /v1/qr/read`. @throws Unavailable unless it is a valid 200 or 422 */
export function readAnswer(reply: Reply): QrRead | QrRefused {
  const body = expectJson(reply, [200, 422])
  if (body.status === 422) {
    return { type: 'refused_qr', reason: expectShape(Refusal, body.json).code }
  }
  const { currency } = expectShape(Currency, body.json)
  if (currency !== 'BOB') return { type: 'refused_qr', reason: 'QR_CURRENCY' }
  return expectShape(Read, body.json)
}

const Currency = z.object({ currency: Id })

const Read = z
  .object({
    network_ref: Id,
    amount_mode: z.enum(['closed', 'open']),
    amount: PositiveBolivianos.nullable(),
    merchant: z.object({ name: Text, bank_code: Text }),
    description: Text.nullable(),
    expires_at: Instant.nullable(),
  })
  .refine(({ amount_mode, amount }) => (amount_mode === 'closed') === (amount !== null), {
    path: ['amount'],
  })
  .transform(({ merchant, ...read }): QrRead => ({
    type: 'read',
    networkRef: read.network_ref,
    amountMode: read.amount_mode,
    amount: read.amount,
    merchant: { name: merchant.name, bankCode: merchant.bank_code },
    description: read.description === '' ? null : read.description,
    expiresAt: read.expires_at,
  }))

/** @returns the body of a reply with one of these statuses. @throws Unavailable for any other reply */
export function expectJson(
  reply: Reply,
  statuses: readonly number[],
): { status: number; json: unknown } {
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
