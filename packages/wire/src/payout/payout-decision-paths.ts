import type { NetworkCall } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { queriedPayout, queriedPayoutToJson } from './network-call.ts'
import { parseSettlement, settlementRequest } from '../proposal/settlement.ts'
import { parseRefund, refundRequest } from '../proposal/refund.ts'
import { evidence, refundProposed, settlementProposed } from '../proposal/proposal-paths.ts'

const tag = 'Payouts'
const path = z.object({ id: id('po').meta({ examples: [example.completed.id] }) })
const call = (over: Partial<NetworkCall>): NetworkCall =>
  ({
    id: `nwc_${example.ulid('0G')}`,
    kind: 'status',
    queriedBy: 'operator',
    actor: 'olivia',
    answer: 'paid',
    detail: 'BOB 100.00, payment QN0000000001',
    createdAt: example.at(0),
    durationMs: 84,
    ...over,
  }) as NetworkCall

const query = operation({
  id: 'queryNetwork',
  tag,
  summary: 'Query the network about a payout now',
  description:
    'Does what a worker does when the payout is due. A final answer settles it. A payment that the network has not seen is cancelled there, so that none can follow, if the network can and knows what the books have as completed. Of a payout that has ended, the status is queried and compared, and nothing changes.',
  access: 'operator',
  path,
  body: noBody,
  answers: ok('The payout, and what the network answered.', queriedPayout, {
    completed: queriedPayoutToJson(example.completed, [call({})]),
    hanging: queriedPayoutToJson(example.payouts.processing, [call({ answer: 'pending', detail: null })]),
  }),
  refused: parseNoBody({ force: true }),
  errors: ['PAYOUT_NOT_FOUND', 'PAYOUT_LEASED', 'PAYOUT_ALREADY_ENDED'],
})

const cancel = operation({
  id: 'cancelAtNetwork',
  tag,
  summary: 'Cancel a payout at the network',
  description:
    'Cancels the payment at a network whose `unpaid_proof` is `cancel`, so that none can follow, and ends the payout as `cancelled`. A payment that exists settles the payout instead.',
  access: 'operator',
  path,
  body: noBody,
  answers: ok('The payout, and what the network answered.', queriedPayout, {
    cancelled: queriedPayoutToJson(example.payouts.cancelled, [
      call({ kind: 'cancel', answer: 'cancelled', detail: null }),
    ]),
    paid: queriedPayoutToJson(example.completed, [call({ kind: 'cancel' })]),
  }),
  refused: parseNoBody({ force: true }),
  errors: ['PAYOUT_NOT_FOUND', 'PAYOUT_LEASED', 'PAYOUT_ALREADY_ENDED', 'NETWORK_CANNOT_CANCEL', 'NETWORK_UNPROVEN'],
})

const settle = operation({
  id: 'proposeSettlement',
  tag,
  summary: 'Propose to settle a payout by evidence',
  description:
    'For a payout that the network cannot settle: it paid another amount, or neither knows nor cancels the payment. Always needs another operator’s approval, which settles the payout and sends its event. `completed` debits the price of the quote, whatever was paid: adjust the wallet for a difference. The network must have been queried before. A settlement that is another one than the payment which the network answered is refused unless `contradicts_network` says so; the proposal shows order, answer and settlement.',
  access: 'operator',
  path,
  body: {
    schema: settlementRequest,
    examples: {
      wrong_amount: {
        outcome: 'completed',
        paid_amount: '99.00',
        reason: 'The network confirmed a payment of BOB 99.00.',
        evidence: {
          note: 'Letter of the network of 20 November.',
          digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      },
    },
  },
  answers: { 202: settlementProposed },
  refused: parseSettlement({ outcome: 'paid', reason: '' }),
  errors: ['PAYOUT_NOT_FOUND', 'PAYOUT_ALREADY_ENDED', 'PAYOUT_STATUS_NOT_QUERIED', 'SETTLEMENT_CONTRADICTS_NETWORK'],
})

const refund = operation({
  id: 'refundPayout',
  tag,
  summary: 'Propose to refund a completed payout',
  description:
    'For a payout whose payment the network returned. Always needs another operator’s approval, which credits the amount to the tenant’s wallet in a transaction that names the payout, and sends `payout.refunded`. A payout is refunded once, and stays `completed`.',
  access: 'operator',
  path,
  body: {
    schema: refundRequest,
    examples: { whole: { reason: 'The merchant’s bank returned the payment.', evidence } },
  },
  answers: { 202: refundProposed },
  refused: parseRefund({ amount: '0', reason: '' }),
  errors: ['PAYOUT_NOT_FOUND', 'PAYOUT_NOT_REFUNDABLE', 'PAYOUT_ALREADY_REFUNDED'],
})

export const payoutDecisionPaths: ZodOpenApiPathsObject = {
  '/operator/v1/payouts/{id}/query': { post: query },
  '/operator/v1/payouts/{id}/cancel': { post: cancel },
  '/operator/v1/payouts/{id}/settle': { post: settle },
  '/operator/v1/payouts/{id}/refund': { post: refund },
}
