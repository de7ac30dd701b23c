import type { IRouter } from 'express'
import type { Clock } from '@quipu/core'
import type { TenantStore, WalletStore } from '@quipu/core/adapter'
import type {
  ManageProposals,
  Operator,
  Proposal,
  ProposalAnswer,
  ProposalRefusal,
  ProposalStore,
  RestoreStore,
  ScreeningStore,
} from '@quipu/core/operator'
import {
  type AdjustmentRequest,
  type HttpErrorCode,
  parseAdjustment,
  parseNoBody,
  parseProposalList,
  parseRejection,
  type ProposalJson,
  proposalToJson,
  type Repeatable,
} from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { repeatable, replayedAnswer } from '../repeatable.ts'
import { tenantIdOf } from '../tenant-id.ts'

/** The stores of what a proposal is about. */
export type ProposalView = {
  readonly tenants: Pick<TenantStore, 'find'>
  readonly wallets: Pick<WalletStore, 'find'>
  readonly screeningCases: Pick<ScreeningStore, 'find'>
  readonly restores: Pick<RestoreStore, 'gate'>
  readonly now: Clock
}

export type ProposalRoutes = ProposalView & {
  readonly manageProposals: ManageProposals
  readonly proposals: Pick<ProposalStore, 'find' | 'list'>
}

/** Money that moves by hand: proposed by one operator, approved by another. */
export function proposalRoutes(router: IRouter, ports: ProposalRoutes): void {
  const { manageProposals, proposals, now } = ports
  bind(router, '/operator/v1/tenants/:id/adjustments', {
    post: allowed<Repeatable<AdjustmentRequest>>('operator', {
      body: repeatable(parseAdjustment),
      async handle(actor, { req, body: { body, request } }) {
        const { adjustment, note } = body
        const id = tenantIdOf(req)
        const noted = { ...note, ...(request && { request }) }
        const answer = await manageProposals.adjustWallet(actor, id, adjustment, noted)
        const proposal = proposalOf(answer, 'TENANT_NOT_FOUND')
        return replayedAnswer(await proposedAnswer(ports, proposal), isReplayed(answer))
      },
    }),
  })

  bind(router, '/operator/v1/proposals', {
    get: allowedPage('viewer', {
      query: parseProposalList,
      async list(query) {
        const at = now()
        const page = await proposals.list({ ...query, now: at })
        return { ...page, items: await proposalsToJson(ports, page.items, at) }
      },
      toJson: (json) => json,
    }),
  })

  bind(router, '/operator/v1/proposals/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const proposal = await proposals.find(proposalIdOf(req))
        if (!proposal) throw new ApiError('PROPOSAL_NOT_FOUND')
        return proposalAnswer(ports, proposal, 200)
      },
    }),
  })

  steps(router, ports)
}

function steps(router: IRouter, ports: ProposalRoutes): void {
  const { manageProposals } = ports
  const step = (change: (actor: Operator, id: string) => Promise<ProposalAnswer>) =>
    allowed('operator', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const answer = await change(actor, proposalIdOf(req))
        const proposal = proposalOf(answer, 'PROPOSAL_NOT_FOUND')
        return proposalAnswer(ports, proposal, 200)
      },
    })

  bind(router, '/operator/v1/proposals/:id/approve', { post: step(manageProposals.approve) })
  bind(router, '/operator/v1/proposals/:id/reject', {
    post: allowed('operator', {
      body: parseRejection,
      async handle(actor, { req, body: reason }) {
        const answer = await manageProposals.reject(actor, proposalIdOf(req), reason)
        return proposalAnswer(ports, proposalOf(answer, 'PROPOSAL_NOT_FOUND'), 200)
      },
    }),
  })
  bind(router, '/operator/v1/proposals/:id/withdraw', { post: step(manageProposals.withdraw) })
  bind(router, '/operator/v1/proposals/:id/execute', { post: step((_, id) => manageProposals.execute(id)) })
}

/** The answer of an operation that one person may do alone, or propose. */
export const proposedAnswer = (view: ProposalView, proposal: Proposal): Promise<Answer> =>
  proposalAnswer(view, proposal, proposal.status === 'open' ? 202 : 200)

async function proposalAnswer(view: ProposalView, proposal: Proposal, status: number): Promise<Answer> {
  const [json] = await proposalsToJson(view, [proposal], view.now())
  return { status, json: json ?? {} }
}

/** With the tenants' names, and what open proposals change; each is read once. */
async function proposalsToJson(
  { tenants, wallets, screeningCases, restores }: ProposalView,
  proposals: readonly Proposal[],
  at: Date,
): Promise<readonly ProposalJson[]> {
  const open = proposals.filter(({ status }) => status === 'open')
  const caseIds = open.flatMap(({ action }) => (action.type === 'decide_screening' ? action.caseId : []))
  const [names, balances, cases, gate] = await Promise.all([
    readEach(proposals.flatMap(idOf), tenants.find),
    readEach(open.flatMap(idOf), wallets.find),
    readEach(caseIds, screeningCases.find),
    open.some(({ action }) => action.type === 'start_payouts') ? restores.gate() : undefined,
  ])
  return proposals.map((proposal) => {
    const { action, tenantId } = proposal
    const about = {
      tenant: names.get(tenantId ?? ''),
      available: balances.get(tenantId ?? '')?.available,
      screeningCase: action.type === 'decide_screening' ? cases.get(action.caseId) : undefined,
      stop: gate?.stop,
    }
    return proposalToJson(proposal, at, about)
  })
}

const idOf = ({ tenantId }: Proposal): readonly string[] => (tenantId === null ? [] : [tenantId])

const readEach = async <T>(ids: readonly string[], find: (id: string) => Promise<T>): Promise<ReadonlyMap<string, T>> =>
  new Map(await Promise.all(Array.from(new Set(ids), async (id) => [id, await find(id)] as const)))

/** Whether the same request had made the proposal before. */
const isReplayed = (answer: ProposalAnswer): boolean => answer.type === 'proposal' && answer.replayed === true

const proposalIdOf = idInPath('prp', 'PROPOSAL_NOT_FOUND')

const codes: Readonly<Record<Exclude<ProposalRefusal, 'not_found' | 'not_proposer' | 'needs_admin'>, HttpErrorCode>> = {
  own_proposal: 'OWN_PROPOSAL',
  expired: 'PROPOSAL_EXPIRED',
  not_open: 'PROPOSAL_NOT_OPEN',
  key_reused: 'IDEMPOTENCY_KEY_REUSED',
  not_approved: 'PROPOSAL_NOT_APPROVED',
  not_in_review: 'DEPOSIT_NOT_IN_REVIEW',
  already_resolved: 'DEPOSIT_ALREADY_RESOLVED',
  not_creditable: 'DEPOSIT_NOT_CREDITABLE',
  already_decided: 'SCREENING_CASE_DECIDED',
  already_ended: 'PAYOUT_ALREADY_ENDED',
  not_queried: 'PAYOUT_STATUS_NOT_QUERIED',
  contradicts_network: 'SETTLEMENT_CONTRADICTS_NETWORK',
  not_refundable: 'PAYOUT_NOT_REFUNDABLE',
  already_refunded: 'PAYOUT_ALREADY_REFUNDED',
}

/**
 * The proposal of an answer.
 *
 * @param notFound  the code of an unknown id in the path
 * @throws ApiError when it was refused
 */
export function proposalOf(answer: ProposalAnswer, notFound: HttpErrorCode): Proposal {
  if (answer.type === 'proposal') return answer.proposal
  if (answer.code === 'not_found') throw new ApiError(notFound)
  if (answer.code === 'not_proposer')
    throw new ApiError('ROLE_REQUIRED', {
      message: 'Another operator proposed this: only that operator or the role admin withdraws it.',
    })
  if (answer.code === 'needs_admin')
    throw new ApiError('ROLE_REQUIRED', { message: 'Only the role admin approves or rejects this.' })
  throw new ApiError(codes[answer.code])
}
