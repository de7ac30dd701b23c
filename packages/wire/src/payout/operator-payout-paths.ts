import { usdt } from '@quipu/core'
import { type PayoutOverview, type PayoutHistory, processingAlertSeconds } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import * as webhooks from '../webhook/webhook-example.ts'
import {
  operatorPayoutListQuery,
  operatorPayoutPage,
  operatorPayoutToJson,
  parseOperatorPayoutList,
} from './operator-payout.ts'
import { payoutHistory, payoutHistoryToJson } from './payout-history.ts'

const tag = 'Payouts'

const hanging: PayoutOverview = {
  payout: example.payouts.processing,
  open: {
    claimCount: 12,
    unanswered: 3,
    dueAt: example.at(1_200),
    raised: { PROCESSING_TOO_LONG: `in processing for more than ${processingAlertSeconds / 60} minutes` },
  },
}

const { source } = example.quote
const history: PayoutHistory = {
  record: {
    payout: example.completed,
    open: null,
    eventId: webhooks.eventEnvelope.id,
    postings: [
      { type: 'hold', amount: source, availableAfter: example.wallet.available, heldAfter: source, at: example.at(0) },
      {
        type: 'capture',
        amount: source,
        availableAfter: example.wallet.available,
        heldAfter: usdt(0n),
        at: example.at(1),
      },
    ],
  },
  quote: { quote: example.quote, status: 'used', payoutId: example.completed.id },
  resolution: example.resolution,
  networkCalls: [],
  event: { ...webhooks.eventEnvelope, body: new Uint8Array() },
  deliveries: [webhooks.delivered],
  proposals: [],
  differences: [],
  audit: [],
}

const list = operation({
  id: 'listPayouts',
  tag,
  summary: 'List the payouts of all tenants, newest first',
  description:
    'With `attention=true`: the payouts that need an operator. A filter by `error_code`, `network_payment_id`, `merchant` or `target` reads the newest payouts of the period: a page may have fewer items than its limit and still a `next_cursor`. Narrow it with `from` and `to`.',
  access: 'operator',
  query: operatorPayoutListQuery,
  answers: lastPage(operatorPayoutPage, [hanging, { payout: example.completed, open: null }], operatorPayoutToJson),
  refused: parseOperatorPayoutList('status=paid&limit=0', example.at(0)),
})

const get = operation({
  id: 'getPayout',
  tag,
  summary: 'Read everything about a payout of any tenant',
  description: 'The payout, how it was priced, its ledger rows and deliveries, and all of it on one time line.',
  access: 'operator',
  path: z.object({ id: id('po').meta({ examples: [example.completed.id] }) }),
  answers: ok('The payout.', payoutHistory, { completed: payoutHistoryToJson(history, example.at(1)) }),
  refused: parseNoQuery('expand=quote'),
  errors: ['PAYOUT_NOT_FOUND'],
})

export const operatorPayoutPaths: ZodOpenApiPathsObject = {
  '/operator/v1/payouts': { get: list },
  '/operator/v1/payouts/{id}': { get },
}
