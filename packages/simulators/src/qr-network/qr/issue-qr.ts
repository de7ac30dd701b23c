import { z } from 'zod'
import { formatBob, PositiveBobAmount } from '../payment/amount.ts'
import type { QrCodec } from './qr-code.ts'
import { scenarios, type Scenario } from './scenario.ts'

/** A test QR to issue. One that breaks these rules throws a `ZodError`, or is a 400 at the admin port. */
export type QrRequest = {
  readonly amount_mode: 'closed' | 'open'
  /** Bolivianos, `"100.00"`; required with `closed`, not allowed with `open`. */
  readonly amount?: string | undefined
  /** At most 40 bytes of UTF-8. */
  readonly merchant_name?: string | undefined
  /** At most 60 bytes of UTF-8. Without it the order must have a description. */
  readonly description?: string | undefined
  readonly scenario?: Scenario | undefined
}

/** A test QR, payable any number of times until `expires_at`. */
export type IssuedQr = {
  readonly content: string
  readonly amount_mode: 'closed' | 'open'
  readonly amount: string | null
  readonly currency: 'BOB' | 'USD'
  readonly merchant: { readonly name: string; readonly bank_code: string }
  readonly description: string | null
  readonly scenario: Scenario
  readonly expires_at: string
}

/** A bank is what the service reads of a QR, so it carries a scenario that the service itself runs. */
const bankCodes: Partial<Record<Scenario, string>> = { lost_answer: '9001', short_quote: '9002' }

const lifeMs = 24 * 60 * 60 * 1000

const utf8 = (bytesMax: number): z.ZodType<string> =>
  z
    .string()
    .refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= bytesMax, {
      message: `must be at most ${bytesMax} bytes of UTF-8`,
    })

const QrRequestBody = z
  .strictObject({
    amount_mode: z.enum(['closed', 'open']),
    amount: PositiveBobAmount.optional(),
    merchant_name: utf8(40)
      .refine((name) => name !== '', 'must not be empty')
      .optional(),
    description: utf8(60)
      .refine((text) => text !== '', 'must not be empty')
      .optional(),
    scenario: z.enum(scenarios).optional(),
  })
  .refine(({ amount_mode, amount }) => (amount_mode === 'closed') === (amount !== undefined), {
    path: ['amount'],
    message: 'belongs to amount_mode closed, and is required there',
  })

/**
 * Issues a test QR.
 *
 * @throws ZodError if the request is invalid
 */
export function issueQr(codec: QrCodec, request: unknown, now: number): IssuedQr {
  const body = QrRequestBody.parse(request)
  const scenario = body.scenario ?? 'paid'
  const seconds = Math.floor(now / 1000)
  const code = {
    amount: body.amount ?? null,
    currency: scenario === 'usd' ? 'USD' : 'BOB',
    merchant: { name: body.merchant_name ?? 'Comercio de Prueba', bankCode: bankCodes[scenario] ?? '1016' },
    description: body.description ?? null,
    expiresAt: scenario === 'expired' ? (seconds - 1) * 1000 : seconds * 1000 + lifeMs,
    scenario,
  } as const
  return {
    content: codec.encode(code),
    amount_mode: body.amount_mode,
    amount: code.amount === null ? null : formatBob(code.amount),
    currency: code.currency,
    merchant: { name: code.merchant.name, bank_code: code.merchant.bankCode },
    description: code.description,
    scenario,
    expires_at: new Date(code.expiresAt).toISOString(),
  }
}
