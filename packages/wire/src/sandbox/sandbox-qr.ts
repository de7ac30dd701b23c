import { quoteLifeSeconds } from '@quipu/core'
import { type SandboxQr, type SandboxQrRequest, sandboxScenarios } from '@quipu/core/adapter'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { members, oneOf, ruleMessage, utf8Text } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { bobMoney, positiveBob, readBob } from '../json/money.ts'
import { moneyToJson } from '../json/money-to-json.ts'
import { mapParsed, type Parsed, parseVariant } from '../json/parsed.ts'
import { merchantToJson } from '../quote/merchant-to-json.ts'
import { amountMode, merchant } from '../quote/qr.ts'

const optional = {
  merchant_name: utf8Text(40)
    .meta({ examples: ['Comercio de Ejemplo'] })
    .optional(),
  description: utf8Text(60)
    .meta({ examples: ['Order 123'] })
    .optional(),
  scenario: oneOf(sandboxScenarios)
    .meta({
      description: `How a payment of this QR ends. With \`lost_answer\` it is paid, and the first answer is a \`503\`; with \`short_quote\` it is paid, and a quote of its resolution lives for ${quoteLifeSeconds.min} s.`,
      default: 'paid',
    })
    .optional(),
}

const closed = members(
  { amount_mode: z.literal('closed'), amount: positiveBob, ...optional },
  'with amount_mode closed',
).meta({ id: 'ClosedSandboxQrRequest', description: 'A QR that fixes its amount.' })

const open = members({ amount_mode: z.literal('open'), ...optional }, 'with amount_mode open').meta({
  id: 'OpenSandboxQrRequest',
  description: 'A QR whose payer chooses the amount.',
})

const neither = members({
  amount_mode: z.never({ error: ruleMessage('must be closed or open') }),
  amount: positiveBob.optional(),
  ...optional,
})

/** The body of `POST /v1/sandbox/qr-codes`. Only a closed QR has an amount. */
export const sandboxQrRequest = z.discriminatedUnion('amount_mode', [closed, open]).meta({ id: 'SandboxQrRequest' })

/** Reads the body of `POST /v1/sandbox/qr-codes`. */
export const parseSandboxQrRequest = (body: unknown): Parsed<SandboxQrRequest> =>
  mapParsed(parseVariant('amount_mode', { closed, open }, neither, body), (request) => ({
    amountMode: request.amount_mode,
    amount: request.amount_mode === 'closed' ? readBob(request.amount) : null,
    merchantName: request.merchant_name ?? null,
    description: request.description ?? null,
    scenario: request.scenario ?? 'paid',
  }))

/** A test QR, payable any number of times until `expires_at`. */
export const sandboxQr = z
  .object({
    content: z.string(),
    amount_mode: amountMode,
    amount: bobMoney.nullable(),
    merchant,
    description: z.string().nullable(),
    scenario: z.enum(sandboxScenarios),
    expires_at: time,
    png: z.string().meta({ description: 'The QR as a `data:image/png;base64,…` URI.' }),
    svg: z.string().meta({ description: 'The QR as an SVG document.' }),
  })
  .meta({ id: 'SandboxQr' })
export type SandboxQrJson = z.output<typeof sandboxQr>

/** @param images  the drawn content: a `data:image/png;base64,…` URI and an SVG document */
export const sandboxQrToJson = (
  qr: SandboxQr,
  images: { readonly png: string; readonly svg: string },
): SandboxQrJson => ({
  content: qr.content,
  amount_mode: qr.amountMode,
  amount: qr.amount && moneyToJson(qr.amount),
  merchant: merchantToJson(qr.merchant),
  description: qr.description,
  scenario: qr.scenario,
  expires_at: instantToJson(qr.expiresAt),
  png: images.png,
  svg: images.svg,
})
