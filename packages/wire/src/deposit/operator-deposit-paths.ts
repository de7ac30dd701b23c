import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import {
  closeDepositRequest,
  closeDepositsRequest,
  creditDepositRequest,
  operatorDeposit,
  operatorDepositDetail,
  operatorDepositDetailToJson,
  operatorDepositListQuery,
  operatorDepositPage,
  operatorDepositToJson,
  parseCloseDeposit,
  parseCloseDeposits,
  parseCreditDeposit,
  parseOperatorDepositList,
  parseReturnDeposit,
  returnDepositRequest,
} from './operator-deposit.ts'
import {
  explainedTransaction,
  explainedTransactionToJson,
  parseTransactionQuery,
  transactionQuery,
} from './explained-transaction.ts'
import { closuresExecuted, closuresProposed, proposedAnswer } from '../proposal/proposal-paths.ts'
import {
  operatorTopUpAddress,
  operatorTopUpAddressList,
  operatorTopUpAddressToJson,
} from '../top-up-address/top-up-address.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'

const tag = 'Deposits'
const path = z.object({ id: id('dep') })
const [credited, closed] = [funding.deposits.credited, funding.closedDeposit].map(operatorDepositToJson)

const list = operation({
  id: 'listDeposits',
  tag,
  summary: 'List the deposits of all tenants, newest first',
  description: 'With `status=in_review&open=true`: the reviews that wait for an operator.',
  access: 'operator',
  query: operatorDepositListQuery,
  answers: lastPage(operatorDepositPage, [funding.deposits.in_review], operatorDepositToJson),
  refused: parseOperatorDepositList('status=review&limit=0'),
})

const get = operation({
  id: 'getDeposit',
  tag,
  summary: 'Read a deposit of any tenant',
  access: 'operator',
  path,
  answers: ok('The deposit.', operatorDepositDetail, {
    waiting: operatorDepositDetailToJson(
      funding.deposits.pending,
      {
        claimCount: 4,
        nextAt: example.position.createdAt,
        problem: 'the second provider does not have solid block 61234567 yet',
      },
      null,
    ),
    credited: operatorDepositDetailToJson(funding.deposits.credited, undefined, 'clear: sanctions 2026-11-20'),
  }),
  refused: parseNoQuery('expand=tenant'),
  errors: ['DEPOSIT_NOT_FOUND'],
})

const credit = operation({
  id: 'creditDeposit',
  tag,
  summary: 'Credit a deposit in review',
  description:
    'Proposes to credit the amount to the tenant’s wallet, which another operator approves. Up to `APPROVAL_LIMIT_USDT` it is credited at once. The credit sends `deposit.credited`. The audit log keeps the reason.',
  access: 'operator',
  path,
  body: {
    schema: creditDepositRequest,
    examples: { confirmed: { reason: 'The sender confirmed the transfer in writing.' } },
  },
  answers: {
    200: {
      description: 'The credited deposit, which needed no approval.',
      schema: operatorDeposit,
      examples: { credited },
    },
    202: proposedAnswer,
  },
  refused: parseCreditDeposit({ amount: '1.00' }),
  errors: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_IN_REVIEW', 'DEPOSIT_ALREADY_RESOLVED', 'DEPOSIT_NOT_CREDITABLE'],
})

const close = operation({
  id: 'closeDeposit',
  tag,
  summary: 'Close a deposit in review without crediting it',
  description:
    'Proposes to close the review, which another operator approves. Up to `APPROVAL_LIMIT_USDT` it is closed at once. The tenant then sees the deposit `in_review`, with `closed_at` and the reason: address the reason to the tenant.',
  access: 'operator',
  path,
  body: { schema: closeDepositRequest, examples: { returned: { reason: 'Returned to the sender.' } } },
  answers: {
    200: {
      description: 'The closed deposit, which needed no approval.',
      schema: operatorDeposit,
      examples: { closed },
    },
    202: proposedAnswer,
  },
  refused: parseCloseDeposit({ reason: '' }),
  errors: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_IN_REVIEW', 'DEPOSIT_ALREADY_RESOLVED'],
})

const closeMany = operation({
  id: 'closeManyDeposits',
  tag,
  summary: 'Close many deposits in review of a tenant',
  description:
    'Proposes to close the reviews, all or none, which another operator approves. Up to `APPROVAL_LIMIT_USDT` for all together they are closed at once. Each sends `deposit.closed`: address the reason to the tenant.',
  access: 'operator',
  path: z.object({ id: id('ten') }),
  body: {
    schema: closeDepositsRequest,
    examples: { dust: { deposit_ids: [funding.deposits.in_review.id], reason: 'Too small to credit.' } },
  },
  answers: { 200: closuresExecuted, 202: closuresProposed },
  refused: parseCloseDeposits({ deposit_ids: [], reason: '' }),
  errors: ['TENANT_NOT_FOUND', 'DEPOSITS_NOT_OPEN'],
})

const explained = {
  txHash: funding.deposits.credited.txHash,
  state: 'solid',
  block: 61234567,
  otherTransfers: 0,
  deposits: [],
} as const

const find = operation({
  id: 'findDeposits',
  tag,
  summary: 'Find why a transaction made a deposit, or none',
  description: 'Reads the transaction from the node’s blocks, and its deposits from the database.',
  access: 'operator',
  query: transactionQuery,
  answers: ok('What the chain and the database have of it.', explainedTransaction, {
    otherToken: explainedTransactionToJson({
      ...explained,
      transfers: [
        {
          tenantId: funding.deposits.credited.tenantId,
          address: funding.topUpAddress.address,
          retiredAt: null,
          value: null,
          contract: '5e'.repeat(20),
          depositId: null,
          outcome: 'unknown_token',
        },
      ],
    }),
    elsewhere: explainedTransactionToJson({ ...explained, transfers: [], otherTransfers: 1 }),
  }),
  refused: parseTransactionQuery('tx_hash=0'),
})

const sendBack = operation({
  id: 'returnDeposit',
  tag,
  summary: 'Record that a deposit in review was sent back',
  description:
    'Proposes to close the review because a transaction has sent the tokens back from the top-up address. A solid block must have that transfer, of the whole amount. Another operator approves it, whatever the amount. The chain reconciliation subtracts the amount from what the address must have.',
  access: 'operator',
  path,
  body: {
    schema: returnDepositRequest,
    examples: {
      returned: {
        to_address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA',
        tx_hash: funding.deposits.credited.txHash,
        reason: 'Returned: the sender is blocked.',
        evidence: { note: 'The block explorer’s page', digest: '9f86d081884c7d65'.repeat(4) },
      },
    },
  },
  answers: { 202: proposedAnswer },
  refused: parseReturnDeposit({ to_address: 'T', tx_hash: '0', reason: '' }),
  errors: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_IN_REVIEW', 'DEPOSIT_ALREADY_RESOLVED', 'DEPOSIT_NOT_CREDITABLE'],
})

const screen = operation({
  id: 'screenDeposit',
  tag,
  summary: 'Screen the sender of a deposit again',
  description:
    'Of a deposit in review for `SENDER_NOT_SCREENED`: a worker decides it again at once, and not only when it is due.',
  access: 'operator',
  path,
  body: noBody,
  answers: ok('The deposit, which is due.', operatorDeposit, { credited }),
  refused: parseNoBody({ force: true }),
  errors: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_UNSCREENED'],
})

const addresses = operation({
  id: 'listTopUpAddresses',
  tag,
  summary: 'List a tenant’s top-up addresses, the newest first',
  description: 'Also retired ones; at most 100.',
  access: 'operator',
  path: z.object({ id: id('ten') }),
  answers: ok('The addresses.', operatorTopUpAddressList, {
    one: { data: [operatorTopUpAddressToJson(funding.topUpAddress)] },
  }),
  refused: parseNoQuery('chain=tron'),
  errors: ['TENANT_NOT_FOUND'],
})

const rotate = operation({
  id: 'rotateTopUpAddress',
  tag,
  summary: 'Retire a tenant’s top-up address',
  description:
    'The tenant’s next read of its wallet creates a new address. The retired address is watched for ever: deposits to it go to review.',
  access: 'operator',
  path: z.object({ id: id('ten') }),
  body: noBody,
  answers: ok('The retired address.', operatorTopUpAddress, {
    retired: operatorTopUpAddressToJson({ ...funding.topUpAddress, retiredAt: example.position.createdAt }),
  }),
  refused: parseNoBody({ chain: 'tron' }),
  errors: ['TENANT_NOT_FOUND', 'TOP_UP_ADDRESS_NOT_FOUND'],
})

export const reviewPaths: ZodOpenApiPathsObject = {
  '/operator/v1/deposits': { get: list },
  '/operator/v1/deposits/{id}': { get },
  '/operator/v1/deposits/{id}/credit': { post: credit },
  '/operator/v1/deposits/{id}/close': { post: close },
  '/operator/v1/deposits/{id}/return': { post: sendBack },
  '/operator/v1/deposits/{id}/screen': { post: screen },
  '/operator/v1/transactions': { get: find },
  '/operator/v1/tenants/{id}/deposits/close': { post: closeMany },
  '/operator/v1/tenants/{id}/top-up-addresses': { get: addresses },
  '/operator/v1/tenants/{id}/top-up-addresses/rotate': { post: rotate },
}
