import { bob } from '@quipu/core'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { uuid } from '../json/fields.ts'
import { parseQuoteRequest, quoteRecord, quoteRequest } from './quote.ts'
import { quoteViewToJson } from './quote-to-json.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, ok } from '../openapi/answers.ts'

const tag = 'Quotes'
const view = { quote: example.quote, status: 'open' } as const
const open = quoteViewToJson(view, example.tenant.pricing.paymentCap)
const aboveCap = quoteViewToJson(view, bob(1n))

const create = operation({
  id: 'createQuote',
  tag,
  summary: { en: 'Get a firm price', es: 'Obtener una cotización firme' },
  description: {
    en: 'The price in USDT of the BOB amount that the destination receives, firm until `expires_at` and valid for one payment. With the resolution of a QR that fixes the amount, `target` is optional.',
    es: 'El precio en USDT del monto en BOB que recibe el destinatario, firme hasta `expires_at` y válido para un solo pago. Con la lectura de un QR que fija el monto, `target` es opcional.',
  },
  access: { scope: 'payouts:write' },
  body: {
    schema: quoteRequest,
    examples: {
      resolution: { resolution_id: example.resolution.id },
      target: { target: { currency: 'BOB', amount: '100.00' } },
    },
  },
  answers: created({ en: 'The quote.', es: 'La cotización.' }, quoteRecord, { open, above_cap: aboveCap }),
  refused: parseQuoteRequest({ target: { currency: 'BOB', amount: '1e2' } }),
  errors: ['RESOLUTION_NOT_FOUND', 'RATE_UNAVAILABLE'],
})

const get = operation({
  id: 'getQuote',
  tag,
  summary: { en: 'Read a quote', es: 'Leer una cotización' },
  description: {
    en: '`status` is `open`, `used` or `expired` at this moment.',
    es: '`status` es `open`, `used` o `expired` en este momento.',
  },
  access: { scope: 'payouts:read' },
  path: z.object({ id: uuid.meta({ examples: [example.quote.id] }) }),
  answers: ok({ en: 'The quote with its present status.', es: 'La cotización con su estado actual.' }, quoteRecord, {
    open,
    used: { ...open, status: 'used' },
    expired: { ...open, status: 'expired' },
  }),
  refused: parseNoQuery('expand=payout'),
  errors: ['QUOTE_NOT_FOUND'],
})

export const quotePaths: ZodOpenApiPathsObject = { '/v1/quotes': { post: create }, '/v1/quotes/{id}': { get } }
