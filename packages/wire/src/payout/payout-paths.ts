import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { pageToJson } from '../list/list.ts'
import { parsePayoutList, payoutListQuery, payoutPage } from './payout-list.ts'
import { parsePayoutRequest, payoutRequest } from './payout-request.ts'
import { payout } from './payout.ts'
import { payoutToJson } from './payout-to-json.ts'
import { parseResolveRequest, resolution, resolutionToJson, resolveRequest } from '../quote/resolution.ts'
import * as example from '../openapi/example.ts'
import { replayedHeader } from '../openapi/header.ts'
import { operation } from '../openapi/operation.ts'
import { created, ok } from '../openapi/answers.ts'

const tag = 'Payouts'
const examples = Object.fromEntries(
  Object.entries(example.payouts).map(([name, payout]) => [name, payoutToJson(payout)]),
)

const create = operation({
  id: 'createPayout',
  tag,
  summary: { en: 'Pay a merchant QR at an accepted quote', es: 'Pagar un QR de comercio con una cotización aceptada' },
  description: {
    en: [
      'The payment is attempted at once; `status` says how it ended. With `processing` the answer of',
      'the network is late: poll `GET /v1/payouts/{id}` or wait for the event.',
      '\n\nOne `transaction_id` is one payment, forever. The same id with the same body answers with',
      'that payment as it is now, so resending is always safe. Resend after every answer that is neither',
      'a 2xx with its JSON nor a 4xx other than 408 and 429: the payment may have been made.',
      'An `Idempotency-Key` header is ignored.',
      '\n\nA `bank_transfer` is validated and then refused: nothing is attempted.',
    ].join(' '),
    es: 'El pago se intenta enseguida; `status` dice cómo terminó. Con `processing` la respuesta de la red tarda: consulte `GET /v1/payouts/{id}` o espere el evento.\n\nUn `transaction_id` es un solo pago, para siempre. El mismo id con el mismo cuerpo responde con ese pago tal como está, así que reenviar es siempre seguro. Reenvíe tras toda respuesta que no sea ni un 2xx con su JSON ni un 4xx distinto de 408 y 429: el pago puede haberse hecho. El encabezado `Idempotency-Key` se ignora.\n\nUn `bank_transfer` se valida y luego se rechaza: no se intenta nada.',
  },
  access: { scope: 'payouts:write' },
  body: {
    schema: payoutRequest,
    examples: {
      qr: example.payoutRequest,
      bank_transfer: {
        transaction_id: 'order-2026-000124',
        type: 'bank_transfer',
        quote_id: example.quote.id,
        bank_transfer: {
          bank_code: '1016',
          account_number: '1000123456',
          branch_city: 'LPZ',
          holder_name: 'Ana Quispe',
          identification_number: '4812345-LP',
        },
      },
    },
  },
  answers: {
    201: {
      description: { en: 'The payout, as it ended.', es: 'El pago, tal como terminó.' },
      schema: payout,
      examples,
      headers: replayedHeader,
    },
  },
  refused: parsePayoutRequest({ ...example.payoutRequest, transaction_id: 'order 123', amount: 1 }),
  errors: [
    'QUOTE_NOT_FOUND',
    'QUOTE_EXPIRED',
    'QUOTE_ALREADY_USED',
    'TRANSACTION_ID_REUSED',
    'PAYOUT_TYPE_NOT_AVAILABLE',
    'OPERATION_UNCERTAIN',
  ],
})

const list = operation({
  id: 'listPayouts',
  tag,
  summary: { en: 'List payouts, newest first', es: 'Listar pagos, los más nuevos primero' },
  description: {
    en: 'Each item equals the answer of `GET /v1/payouts/{id}`. Every payout made before the first page was read appears once, also while others are made. With `description` or `metadata` a page can have fewer rows than `limit`; the last one has `next_cursor` null.',
    es: 'Cada elemento es igual a la respuesta de `GET /v1/payouts/{id}`. Todo pago hecho antes de leer la primera página aparece una vez, también mientras se hacen otros. Con `description` o `metadata` una página puede tener menos filas que `limit`; la última tiene `next_cursor` null.',
  },
  access: { scope: 'payouts:read' },
  query: payoutListQuery,
  answers: ok({ en: 'A page.', es: 'Una página.' }, payoutPage, {
    page: pageToJson(
      { items: [example.completed], next: example.position },
      payoutToJson,
      cursorScope('payouts', example.tenant.id),
    ),
  }),
  refused: parsePayoutList(example.tenant.id, 'status=processing&limit=500'),
})

const get = operation({
  id: 'getPayout',
  tag,
  summary: { en: 'Read a payout', es: 'Leer un pago' },
  description: {
    en: 'The source of truth when an event was missed or arrived out of order.',
    es: 'La fuente de verdad cuando un evento faltó o llegó en desorden.',
  },
  access: { scope: 'payouts:read' },
  path: z.object({ id: id('po').meta({ examples: [example.completed.id] }) }),
  answers: ok({ en: 'The payout.', es: 'El pago.' }, payout, examples),
  refused: parseNoQuery('expand=quote'),
  errors: ['PAYOUT_NOT_FOUND'],
})

const resolve = operation({
  id: 'resolveQr',
  tag,
  summary: { en: 'Read a QR', es: 'Leer un QR' },
  description: {
    en: 'Answers the merchant and the amount, and keeps them as a resolution that a quote can name.',
    es: 'Responde el comercio y el monto, y los conserva como una lectura (resolution) que una cotización puede nombrar.',
  },
  access: { scope: 'payouts:write' },
  body: { schema: resolveRequest, examples: { qr: example.payoutRequest.qr } },
  answers: created({ en: 'The resolution.', es: 'La lectura.' }, resolution, {
    closed: resolutionToJson(example.resolution),
    open: resolutionToJson({ ...example.resolution, amountMode: 'open', amount: null }),
  }),
  refused: parseResolveRequest({ content: '' }),
  errors: ['QR_REFUSED', 'NETWORK_UNAVAILABLE'],
})

export const payoutPaths: ZodOpenApiPathsObject = {
  '/v1/payouts': { post: create, get: list },
  '/v1/payouts/{id}': { get },
  '/v1/payouts/qr/resolve': { post: resolve },
}
