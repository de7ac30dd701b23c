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
  summary: 'Pay a merchant QR at an accepted quote',
  description: [
    'The payment is attempted at once; `status` says how it ended. With `processing` the answer of',
    'the network is late: poll `GET /v1/payouts/{id}` or wait for the event.',
    '\n\nOne `transaction_id` is one payment, forever. The same id with the same body answers with',
    'that payment as it is now, so resending is always safe. Resend after every answer that is neither',
    'a 2xx with its JSON nor a 4xx other than 408 and 429: the payment may have been made.',
    'An `Idempotency-Key` header is ignored.',
    '\n\nA `bank_transfer` is validated and then refused: nothing is attempted.',
  ].join(' '),
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
  answers: { 201: { description: 'The payout, as it ended.', schema: payout, examples, headers: replayedHeader } },
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
  summary: 'List payouts, newest first',
  description:
    'Each item equals the answer of `GET /v1/payouts/{id}`. Every payout made before the first page was read appears once, also while others are made. With `description` or `metadata` a page can have fewer rows than `limit`; the last one has `next_cursor` null.',
  access: { scope: 'payouts:read' },
  query: payoutListQuery,
  answers: ok('A page.', payoutPage, {
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
  summary: 'Read a payout',
  description: 'The source of truth when an event was missed or arrived out of order.',
  access: { scope: 'payouts:read' },
  path: z.object({ id: id('po').meta({ examples: [example.completed.id] }) }),
  answers: ok('The payout.', payout, examples),
  refused: parseNoQuery('expand=quote'),
  errors: ['PAYOUT_NOT_FOUND'],
})

const resolve = operation({
  id: 'resolveQr',
  tag,
  summary: 'Read a QR',
  description: 'Answers the merchant and the amount, and keeps them as a resolution that a quote can name.',
  access: { scope: 'payouts:write' },
  body: { schema: resolveRequest, examples: { qr: example.payoutRequest.qr } },
  answers: created('The resolution.', resolution, {
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
