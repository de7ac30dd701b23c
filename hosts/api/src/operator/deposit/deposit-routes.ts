import type { IRouter } from 'express'
import type { RotateTopUpAddress } from '@quipu/core'
import { authorized } from '@quipu/core/operator'
import type { ExplainTransaction, ManageProposals, Operator, ReturnProblem } from '@quipu/core/operator'
import type { TopUpAddressStore, DepositStore } from '@quipu/core/adapter'
import {
  explainedTransactionToJson,
  operatorDepositDetailToJson,
  operatorDepositToJson,
  operatorTopUpAddressToJson,
  parseCloseDeposit,
  parseCloseDeposits,
  parseCreditDeposit,
  parseNoBody,
  parseNoQuery,
  parseOperatorDepositList,
  parseReturnDeposit,
  parseTransactionQuery,
} from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError, invalid } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { proposalOf, proposedAnswer, type ProposalView } from '../proposal/proposal-routes.ts'
import { tenantIdOf } from '../tenant-id.ts'

export type DepositRoutes = ProposalView & {
  readonly manageProposals: ManageProposals
  readonly rotateTopUpAddress: RotateTopUpAddress
  readonly explainTransaction: ExplainTransaction
  readonly returnProblem: ReturnProblem
  readonly addresses: Pick<TopUpAddressStore, 'listAll'>
  readonly deposits: Pick<DepositStore, 'find' | 'listAll' | 'attempts' | 'screening' | 'screenAgain'>
}

/** @source spec §3 Deposit statuses: an operator resolves the deposit; the endpoints are assumed */
export function depositRoutes(router: IRouter, ports: DepositRoutes): void {
  const { deposits } = ports
  bind(router, '/operator/v1/deposits', {
    get: allowedPage('viewer', {
      query: parseOperatorDepositList,
      list: (query) => deposits.listAll(query),
      toJson: operatorDepositToJson,
    }),
  })

  bind(router, '/operator/v1/deposits/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const deposit = await deposits.find(depositIdOf(req))
        if (!deposit) throw new ApiError('DEPOSIT_NOT_FOUND')
        const [attempts, screening] = await Promise.all([deposits.attempts(deposit.id), deposits.screening(deposit.id)])
        return { status: 200, json: operatorDepositDetailToJson(deposit, attempts, screening) }
      },
    }),
  })

  bind(router, '/operator/v1/deposits/:id/credit', {
    post: allowed('operator', {
      body: parseCreditDeposit,
      handle: (actor, { req, body }) => resolve(ports, actor, depositIdOf(req), 'credit_deposit', body.reason),
    }),
  })

  bind(router, '/operator/v1/deposits/:id/close', {
    post: allowed('operator', {
      body: parseCloseDeposit,
      handle: (actor, { req, body }) => resolve(ports, actor, depositIdOf(req), 'close_deposit', body.reason),
    }),
  })

  bind(router, '/operator/v1/deposits/:id/return', {
    post: allowed('operator', {
      body: parseReturnDeposit,
      async handle(actor, { req, body: { returned, note } }) {
        const id = depositIdOf(req)
        const problem = await ports.returnProblem(id, returned)
        if (problem !== null) throw invalid([{ field: 'tx_hash', message: problem }])
        const answer = await ports.manageProposals.returnDeposit(actor, id, returned, note)
        return proposedAnswer(ports, proposalOf(answer, 'DEPOSIT_NOT_FOUND'))
      },
    }),
  })

  bind(router, '/operator/v1/deposits/:id/screen', {
    post: allowed('operator', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const deposit = await deposits.find(depositIdOf(req))
        if (!deposit) throw new ApiError('DEPOSIT_NOT_FOUND')
        const result = authorized(await deposits.screenAgain(deposit, { ...actor, at: ports.now() }))
        if (result === 'stale') throw new ApiError('DEPOSIT_NOT_UNSCREENED')
        return { status: 200, json: operatorDepositToJson(deposit) }
      },
    }),
  })

  bind(router, '/operator/v1/transactions', {
    get: allowed('viewer', {
      query: parseTransactionQuery,
      async handle(_actor, { query: txHash }) {
        return { status: 200, json: explainedTransactionToJson(await ports.explainTransaction(txHash)) }
      },
    }),
  })

  closingMany(router, ports)
  rotation(router, ports)
}

function closingMany(router: IRouter, ports: DepositRoutes): void {
  bind(router, '/operator/v1/tenants/:id/deposits/close', {
    post: allowed('operator', {
      body: parseCloseDeposits,
      async handle(actor, { req, body: { depositIds, reason } }) {
        const note = { reason, evidence: null }
        const answer = await ports.manageProposals.closeDeposits(actor, tenantIdOf(req), depositIds, note)
        if (answer.type === 'not_open') throw notOpen(depositIds, answer.depositIds)
        return proposedAnswer(ports, proposalOf(answer, 'TENANT_NOT_FOUND'))
      },
    }),
  })
}

function notOpen(given: readonly string[], closed: readonly string[]): ApiError {
  const faults = closed.map((id) => ({ id, field: `deposit_ids.${given.indexOf(id)}` }))
  return new ApiError('DEPOSITS_NOT_OPEN', {
    message: `No open reviews of the tenant: ${faults.map(({ id, field }) => `${field} (${id})`).join(', ')}.`,
    issues: faults.map(({ id, field }) => ({ field, message: `${id} is no open review of the tenant` })),
  })
}

function rotation(router: IRouter, { rotateTopUpAddress, tenants, addresses }: DepositRoutes): void {
  bind(router, '/operator/v1/tenants/:id/top-up-addresses', {
    get: allowed('viewer', {
      query: parseNoQuery,
      async handle(_actor, { req }) {
        const id = tenantIdOf(req)
        if (!(await tenants.find(id))) throw new ApiError('TENANT_NOT_FOUND')
        const data = (await addresses.listAll(id, 100)).map(operatorTopUpAddressToJson)
        return { status: 200, json: { data } }
      },
    }),
  })
  bind(router, '/operator/v1/tenants/:id/top-up-addresses/rotate', {
    post: allowed('operator', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const id = tenantIdOf(req)
        const retired = await rotateTopUpAddress(actor, id)
        if (retired) return { status: 200, json: operatorTopUpAddressToJson(retired) }
        const isKnown = (await tenants.find(id)) !== undefined
        throw new ApiError(isKnown ? 'TOP_UP_ADDRESS_NOT_FOUND' : 'TENANT_NOT_FOUND')
      },
    }),
  })
}

const depositIdOf = idInPath('dep', 'DEPOSIT_NOT_FOUND')

/** The resolved deposit where one person suffices; otherwise the proposal. */
async function resolve(
  ports: DepositRoutes,
  actor: Operator,
  id: string,
  type: 'credit_deposit' | 'close_deposit',
  reason: string,
): Promise<Answer> {
  const { manageProposals, deposits } = ports
  const answer = await manageProposals.resolveDeposit(actor, id, type, { reason, evidence: null })
  const proposal = proposalOf(answer, 'DEPOSIT_NOT_FOUND')
  if (proposal.status === 'failed') throw new ApiError('DEPOSIT_ALREADY_RESOLVED')
  if (proposal.status !== 'executed') return proposedAnswer(ports, proposal)
  const deposit = await deposits.find(id)
  if (!deposit) throw new ApiError('DEPOSIT_NOT_FOUND')
  return { status: 200, json: operatorDepositToJson(deposit) }
}
