import { bob, usdt } from '@quipu/core'
import {
  approveProposal,
  defaultProposalSettings,
  executeProposal,
  type OpenProposal,
  type Proposal,
} from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { replayedHeader } from '../openapi/header.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { adjustmentRequest, parseAdjustment } from './adjustment.ts'
import {
  parseProposalList,
  parseRejection,
  proposal,
  proposalListQuery,
  proposalPage,
  proposalRejection,
  proposalToJson,
} from './proposal.ts'
import { repeatableHeaders, repeatableText } from '../json/repeatable.ts'

const tag = 'Proposals'
const path = z.object({ id: id('prp') })
/** An example. */
export const evidence = {
  note: 'The tenant’s statement of 20 November.',
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}
const opened: OpenProposal = {
  id: `prp_${example.ulid('0G')}`,
  tenantId: example.tenant.id,
  action: { type: 'adjust_wallet', tenantId: example.tenant.id, direction: 'in', amount: usdt(5_000_000n) },
  reason: 'Fee charged twice on 20 November.',
  evidence,
  proposedBy: 'olivia',
  createdAt: example.at(0),
  expiresAt: example.at(defaultProposalSettings.approvableSeconds),
  status: 'open',
}
const toJson = (stored: Proposal) =>
  proposalToJson(stored, example.at(600), { tenant: example.tenant, available: usdt(20_000_000n) })
const approved = approveProposal(opened, 'omar', example.at(300))
if (typeof approved === 'string') throw new Error(`the example was refused: ${approved}`)
const executed = toJson(executeProposal(approved, example.at(300)))
const withdrawn = toJson({ ...opened, status: 'withdrawn', withdrawal: { at: example.at(300), by: 'olivia' } })

const rejected = toJson({
  ...opened,
  status: 'rejected',
  rejection: { at: example.at(300), by: 'omar', reason: 'The evidence is of another payout.' },
})

/** The answer of an operation that needs a second operator’s approval. */
export const proposedAnswer = {
  description: 'The proposal, which waits for another operator’s approval.',
  schema: proposal,
  examples: { open: toJson(opened) },
} as const

const closures = {
  ...opened,
  action: {
    type: 'close_deposits',
    tenantId: example.tenant.id,
    depositIds: [funding.deposits.in_review.id],
    amount: funding.deposits.in_review.amount,
  },
  reason: 'Too small to credit.',
  evidence: null,
} as const

/** The answer of a proposal to close reviews together. */
export const closuresProposed = { ...proposedAnswer, examples: { open: toJson(closures) } } as const

/** The answer where no approval of it was needed. */
export const closuresExecuted = {
  description: 'The executed proposal, which needed no approval.',
  schema: proposal,
  examples: {
    executed: toJson({
      ...closures,
      status: 'executed',
      approval: { at: closures.createdAt, by: null },
      executedAt: closures.createdAt,
    }),
  },
} as const

/** The answer of another proposal. @param over  the members that differ from those of the adjustment */
export const proposedExample = (over: Partial<OpenProposal>) => ({
  ...proposedAnswer,
  examples: { open: toJson({ ...opened, evidence: null, ...over }) },
})

/** The answer of a proposal to raise a tenant's limits or to change its prices. */
export const limitsProposed = {
  ...proposedAnswer,
  examples: {
    open: toJson({
      ...opened,
      reason: 'The tenant pays its suppliers at the end of the year.',
      evidence: null,
      action: {
        type: 'change_limits',
        tenantId: example.tenant.id,
        limits: { amount: usdt(10000000000n), count: null },
      },
    }),
    prices: toJson({
      ...opened,
      reason: 'The contract of 20 November.',
      evidence: null,
      action: { type: 'change_pricing', tenantId: example.tenant.id, prices: { marginBps: 100 } },
    }),
  },
} as const

/** The answer of a proposal to settle a payout. */
export const settlementProposed = {
  ...proposedAnswer,
  examples: {
    open: toJson({
      ...opened,
      action: {
        type: 'settle_payout',
        payoutId: example.completed.id,
        outcome: 'completed',
        paid: bob(9900n),
        networkPaymentId: 'QN0000000001',
        ordered: bob(10000n),
        networkPaid: 'BOB 99.00, payment QN0000000001',
      },
      reason: 'The network confirmed a payment of BOB 99.00.',
      evidence: {
        note: 'Letter of the network of 20 November.',
        digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    }),
  },
} as const

/** The answer of a proposal to refund a payout. */
export const refundProposed = {
  ...proposedAnswer,
  examples: {
    open: toJson({
      ...opened,
      action: {
        type: 'adjust_wallet',
        tenantId: example.tenant.id,
        direction: 'in',
        amount: example.completed.quote.source,
        payoutId: example.completed.id,
      },
      reason: 'The merchant’s bank returned the payment.',
    }),
  },
} as const

const adjust = operation({
  id: 'proposeAdjustment',
  tag,
  summary: 'Propose to adjust a wallet',
  description: `Moves money into or out of the available balance once another operator approves the proposal. Up to \`APPROVAL_LIMIT_USDT\` it is executed at once. ${repeatableText}`,
  access: 'operator',
  header: repeatableHeaders,
  path: z.object({ id: id('ten') }),
  body: {
    schema: adjustmentRequest,
    examples: {
      in: { direction: 'in', amount: '5.00', reason: 'Fee charged twice on 20 November.', evidence },
      drift: {
        direction: 'in',
        amount: '40.00',
        difference_id: `dif_${example.ulid('0G')}`,
        reason: 'The wallet’s row was changed by SQL.',
        evidence,
      },
    },
  },
  answers: {
    200: {
      description: 'The proposal, which needed no approval: `executed`, or `failed`.',
      schema: proposal,
      examples: { executed: { ...executed, approved_by: null } },
      headers: replayedHeader,
    },
    202: { ...proposedAnswer, headers: replayedHeader },
  },
  refused: parseAdjustment({ direction: 'in', amount: '-5.00' }),
  errors: ['TENANT_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
})

const list = operation({
  id: 'listProposals',
  tag,
  summary: 'List proposals, newest first',
  description: 'With `status=open`: the proposals that wait for approval.',
  access: 'operator',
  query: proposalListQuery,
  answers: lastPage(proposalPage, [opened], toJson),
  refused: parseProposalList('status=pending&limit=0'),
})

const get = operation({
  id: 'getProposal',
  tag,
  summary: 'Read a proposal',
  access: 'operator',
  path,
  answers: ok('The proposal.', proposal, { open: toJson(opened), executed }),
  refused: parseNoQuery('expand=tenant'),
  errors: ['PROPOSAL_NOT_FOUND'],
})

const approve = operation({
  id: 'approveProposal',
  tag,
  summary: 'Approve another operator’s proposal, and execute it',
  description:
    'The proposal is then `executed`, or `failed` when its action can no longer be executed. The same operator can safely repeat the request.',
  access: 'operator',
  path,
  body: noBody,
  answers: ok('The proposal.', proposal, { executed }),
  refused: parseNoBody({ reason: 'right' }),
  errors: ['OWN_PROPOSAL', 'PROPOSAL_NOT_FOUND', 'PROPOSAL_EXPIRED', 'PROPOSAL_NOT_OPEN'],
})

const withdraw = operation({
  id: 'withdrawProposal',
  tag,
  summary: 'Withdraw an open proposal',
  description: 'An `operator` can withdraw own proposals, an `admin` all.',
  access: 'operator',
  path,
  body: noBody,
  answers: ok('The proposal.', proposal, { withdrawn }),
  refused: parseNoBody({ reason: 'wrong' }),
  errors: ['PROPOSAL_NOT_FOUND', 'PROPOSAL_EXPIRED', 'PROPOSAL_NOT_OPEN'],
})

const reject = operation({
  id: 'rejectProposal',
  tag,
  summary: 'Reject another operator’s proposal, with a reason',
  description: 'Needs the role that approves it, and is final.',
  access: 'operator',
  path,
  body: { schema: proposalRejection, examples: { rejection: { reason: 'The evidence is of another payout.' } } },
  answers: ok('The proposal.', proposal, { rejected }),
  refused: parseRejection({ reason: '' }),
  errors: ['OWN_PROPOSAL', 'PROPOSAL_NOT_FOUND', 'PROPOSAL_EXPIRED', 'PROPOSAL_NOT_OPEN'],
})

const execute = operation({
  id: 'executeProposal',
  tag,
  summary: 'Execute an approved proposal whose execution was interrupted',
  description: 'Idempotent: an executed or failed proposal does not change.',
  access: 'operator',
  path,
  body: noBody,
  answers: ok('The proposal.', proposal, { executed }),
  refused: parseNoBody({ force: true }),
  errors: ['PROPOSAL_NOT_FOUND', 'PROPOSAL_NOT_APPROVED'],
})

export const proposalPaths: ZodOpenApiPathsObject = {
  '/operator/v1/tenants/{id}/adjustments': { post: adjust },
  '/operator/v1/proposals': { get: list },
  '/operator/v1/proposals/{id}': { get },
  '/operator/v1/proposals/{id}/approve': { post: approve },
  '/operator/v1/proposals/{id}/reject': { post: reject },
  '/operator/v1/proposals/{id}/withdraw': { post: withdraw },
  '/operator/v1/proposals/{id}/execute': { post: execute },
}
