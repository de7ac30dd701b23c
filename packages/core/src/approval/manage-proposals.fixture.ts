import { someDeposit } from '../deposit/deposit.fixture.ts'
import type { Deposit, DepositInReview } from '../deposit/deposit.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { usdt } from '../money.ts'
import type { UndecidedPayout } from '../payout/decision-ports.ts'
import type { UsedRequest } from '../access/operator-request.ts'
import type { Operator, OperatorRole } from '../access/operator.ts'
import { noDailyUse } from '../limit/daily-limits.ts'
import { tenant } from '../tenant/tenant.fixture.ts'
import { type ManageProposals, manageProposals } from './manage-proposals.ts'
import type { ProposalStore } from '../proposal/ports.ts'
import { after } from '../proposal/proposal.fixture.ts'
import type { Proposal } from '../proposal/proposal.ts'
import { executeProposal } from '../proposal/steps.ts'

/** A deposit in review that may be credited. */
export const review: DepositInReview = {
  ...someDeposit,
  status: 'in_review',
  reviewCode: 'SENDER_BLOCKED',
  closed: null,
}

export const operator = (person: string, role: OperatorRole = 'operator'): Operator => ({
  person,
  role,
  tokenHash: `hash of ${person}`,
})

/** The content of the stores, and how they answer. */
export type ProposalWorld = {
  readonly proposals: Map<string, Proposal>
  deposit: Deposit | undefined
  undecided: UndecidedPayout | undefined
  inserts: 'committed' | 'unauthorized' | UsedRequest
  /** The answers to the next commits of a step; then `committed`. */
  readonly commits: Awaited<ReturnType<ProposalStore['commit']>>[]
  /** The write of another process before the next commit. */
  meanwhile: Proposal | undefined
  seconds: number
  /** Each write. */
  readonly written: unknown[]
}

/** Proposals of `ten_1` over stores in memory. One person decides up to a micro-USDT; a proposal lives an hour. */
export function proposalWorld(): { readonly world: ProposalWorld; readonly manage: ManageProposals } {
  const world: ProposalWorld = {
    proposals: new Map(),
    deposit: review,
    undecided: undefined,
    inserts: 'committed',
    commits: [],
    meanwhile: undefined,
    seconds: 0,
    written: [],
  }
  const manage = manageProposals(
    {
      screeningCases: { find: async () => undefined },
      proposals: {
        insert: async (proposal, by, request) => {
          world.written.push({ write: 'insert', proposal, by, request })
          if (world.inserts === 'committed') world.proposals.set(proposal.id, proposal)
          return world.inserts
        },
        find: async (id) => world.proposals.get(id),
        list: async ({ status, after: position }) => {
          const all = Array.from(world.proposals.values()).filter((each) => each.status === status)
          const place = all.findIndex(({ id }) => id === position?.id) + 1
          const item = all[place]
          return {
            items: item ? [item] : [],
            next: item && all[place + 1] ? { createdAt: item.createdAt, id: item.id } : null,
          }
        },
        commit: async (proposal, by) => {
          world.written.push({ write: 'commit', status: proposal.status, by })
          if (world.meanwhile) world.proposals.set(proposal.id, world.meanwhile)
          const result = world.commits.shift() ?? 'committed'
          if (result === 'committed') world.proposals.set(proposal.id, proposal)
          return result
        },
        fail: async (proposal) => {
          world.written.push({ write: 'fail', failure: proposal.failure })
          world.proposals.set(proposal.id, proposal)
          return 'committed'
        },
      },
      tenants: { find: async (id) => (id === tenant.id ? { ...tenant, usedToday: noDailyUse } : undefined) },
      wallets: {
        adjust: async ({ id }) => {
          world.written.push({ write: 'adjust', id })
          const proposal = world.proposals.get(id)
          if (proposal?.status === 'approved') world.proposals.set(id, executeProposal(proposal, after(world.seconds)))
          return 'committed'
        },
      },
      deposits: {
        closeReviews: async () => 'not_approved',
        find: async (id) => (id === review.id ? world.deposit : undefined),
        commit: async () => 'committed',
      },
      payoutDecisions: {
        find: async (id) => (id === 'po_1' ? world.undecided : undefined),
        settle: async () => 'committed',
      },
      encodeEvent: encodeForTest,
      ids: countingIds(),
      now: () => after(world.seconds),
    },
    { approvalLimit: usdt(1n), lifeSeconds: 3_600 },
  )
  return { world, manage }
}
