import { describe, expect, test } from 'vitest'
import { bob, usdt } from '@quipu/core'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import {
  type ActionOf,
  type ApprovedProposal,
  type DecidedProposal,
  approveProposal,
  auditProposal,
  approverOf,
  auditProposalStep,
  failProposal,
  newOperatorToken,
  type OpenProposal,
  type Proposal,
  type ProposalAction,
  type ProposalActionType,
  proposalActionTypes,
  storedAction,
  withdrawProposal,
} from '@quipu/core/operator'
import { newKey } from '../../fixtures/new-key.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { openProposalOf } from '../../fixtures/proposal/approve-action.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'proposals' | 'operatorTokens' | 'tenants' | 'apiKeys' | 'audit'

const depositId = 'dep_00000000000000000000000001'

/** One action of each kind, so that a store that lacks a new one fails. */
const actions: { readonly [T in ProposalActionType]: ActionOf<T> } = {
  decide_screening: {
    type: 'decide_screening',
    caseId: 'scr_00000000000000000000000001',
    decision: 'cleared',
    name: 'Peña',
    list: 'sanctions: terror',
  },
  adjust_wallet: {
    type: 'adjust_wallet',
    tenantId: 'ten_00000000000000000000000001',
    direction: 'out',
    amount: usdt(2n ** 63n - 1n),
  },
  credit_deposit: { type: 'credit_deposit', depositId, amount: usdt(500_000n) },
  close_deposit: { type: 'close_deposit', depositId, amount: usdt(2n ** 255n) },
  close_deposits: {
    type: 'close_deposits',
    tenantId: 'ten_01K6HZ8M00000000000000000A',
    depositIds: [depositId, 'dep_01K6HZ8M00000000000000000B'],
    amount: usdt(2n ** 256n),
  },
  return_deposit: {
    type: 'return_deposit',
    depositId,
    amount: usdt(500_000n),
    toAddress: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA',
    txHash: '5e'.repeat(32),
  },
  settle_payout: {
    type: 'settle_payout',
    payoutId: 'po_00000000000000000000000001',
    outcome: 'failed',
    paid: bob(9900n),
    networkPaymentId: 'np-ñ',
  },
  issue_operator_token: {
    type: 'issue_operator_token',
    tokenId: 'opt_00000000000000000000000001',
    person: 'carla',
    label: 'laptop ñ',
    role: 'operator',
    fingerprint: '5e'.repeat(8),
    expiresAt: new Date('2026-08-01T00:00:00.000Z'),
  },
  issue_api_key: {
    type: 'issue_api_key',
    keyId: 'key_00000000000000000000000001',
    name: 'caja ñ',
    lastFour: 'c0de',
    scopes: ['payouts:write', 'payouts:read'],
    expiresAt: new Date('2026-08-01T00:00:00.000Z'),
    replaces: null,
    allowedAddresses: ['192.0.2.1', '2001:db8::/32'],
  },
  change_limits: {
    type: 'change_limits',
    tenantId: 'ten_00000000000000000000000001',
    limits: { paymentCap: bob(9000000n), amount: null, count: 7 },
  },
  change_pricing: {
    type: 'change_pricing',
    tenantId: 'ten_00000000000000000000000001',
    prices: { marginBps: 0, feeFixed: usdt(7n) },
  },
  resume_tenant: {
    type: 'resume_tenant',
    tenantId: 'ten_00000000000000000000000001',
    suspendedAt: new Date('2026-08-01T00:00:00.001Z'),
  },
  start_payouts: { type: 'start_payouts', stoppedAt: new Date('2026-08-01T00:00:00.001Z') },
}

const after = (seconds: number): Date => new Date(someInstant.getTime() + seconds * 1_000)

function actorOf(proposal: DecidedProposal): string {
  if (proposal.status === 'approved') return proposal.approval.by ?? 'nobody'
  return proposal.status === 'rejected' ? proposal.rejection.by : proposal.withdrawal.by
}

/** The contract of a `ProposalStore`. The stores of wallets and deposits prove the execution. */
export function proposalStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`proposal store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test.each(proposalActionTypes)('stores %s as it is, with an audit entry', async (type) => {
      const isForAdmins = approverOf(actions[type]) === 'admin'
      const about = {
        ...(isForAdmins && { proposedBy: 'ben' }),
        ...(type === 'issue_operator_token' && { tenantId: null }),
      }
      const evidence = { note: 'carta de la red', digest: 'b'.repeat(64) }
      const proposal = await stored(w, { action: actions[type], evidence, ...about })
      expect(await w.proposals.find(proposal.id)).toEqual(proposal)
      expect(await auditOf(w, proposal)).toEqual([auditProposal(proposal, originOf(proposal.proposedBy))])
      expect(await auditOf(w, proposal)).toMatchObject([{ tenantId: proposal.tenantId }])
    })

    test('stores evidence, and a proposal that one person may decide', async () => {
      const evidence = { note: 'carta de la dueña 💸', digest: 'a'.repeat(64) }
      const approval = { at: someInstant, by: null }
      const alone = { ...(await draft(w)), evidence, status: 'approved', approval } as const
      await insert(w, alone)
      expect(await w.proposals.find(alone.id)).toEqual(alone)
      expect(await auditOf(w, alone)).toEqual([auditProposal(alone, originOf(alone.proposedBy))])
    })

    test('finds no unknown proposal', async () => {
      expect(await w.proposals.find('prp_00000000000000000000000000')).toBeUndefined()
    })

    test('stores each step with its audit entry', async () => {
      const steps = [
        async () => approved(await stored(w)),
        async () => step(withdrawProposal(await stored(w), { by: 'ben', isAdmin: true }, after(1))),
        async () => rejected(await stored(w)),
      ]
      for (const make of steps) {
        const proposal = await make()
        expect(await commit(w, proposal)).toBe('committed')
        expect(await w.proposals.find(proposal.id)).toEqual(proposal)
        expect((await auditOf(w, proposal))[0]).toEqual(auditProposalStep(proposal, originOf(actorOf(proposal))))
      }
      const first = approved(await stored(w))
      await commit(w, first)
      const failed = failProposal(first, 'INSUFFICIENT_BALANCE', after(2))
      expect(await w.proposals.fail(failed)).toBe('committed')
      expect(await w.proposals.find(first.id)).toEqual(failed)
      expect(await auditOf(w, first)).toEqual([
        auditProposalStep(failed, originOf(first.proposedBy)),
        auditProposalStep(first, originOf(actorOf(first))),
        auditProposal({ ...first, status: 'open' }, originOf(first.proposedBy)),
      ])
    })

    test('a step from another state is stale, and writes nothing', async () => {
      const opened = await stored(w)
      const withdrawn = step(withdrawProposal(opened, { by: 'ana', isAdmin: false }, after(1)))
      const failed = failProposal(approved(opened), 'INSUFFICIENT_BALANCE', after(2))
      expect(await w.proposals.fail(failed)).toBe('stale')
      await commit(w, withdrawn)
      for (const next of [approved(opened), rejected(opened), withdrawn]) expect(await commit(w, next)).toBe('stale')
      expect(await w.proposals.fail(failed)).toBe('stale')
      expect(await w.proposals.find(opened.id)).toEqual(withdrawn)
      const unknown = { ...approved(opened), id: 'prp_00000000000000000000000000' }
      expect(await commit(w, unknown)).toBe('stale')
      expect(await auditOf(w, opened)).toHaveLength(2)
    })

    test('the proposer is refused as the approver, and so is nobody', async () => {
      const opened = await stored(w)
      for (const by of [opened.proposedBy, null]) {
        const approval = { at: after(1), by }
        const alone = { ...opened, status: 'approved', approval } as const
        await expect(w.proposals.commit(alone, credentialOf('ana'))).rejects.toThrow()
      }
      expect(await w.proposals.find(opened.id)).toEqual(opened)
    })

    test('a rejection is final, by who could approve it, and never by the proposer', async () => {
      const opened = await stored(w)
      const limits = await stored(w, { action: actions.change_limits, proposedBy: 'ben' })
      expect(await commit(w, rejected(limits))).toBe('unauthorized')
      expect(await commit(w, rejected(opened, opened.proposedBy))).toBe('stale')
      expect(await w.proposals.commit(rejected(opened), credentialOf('nobody'))).toBe('unauthorized')
      const final = rejected(opened)
      expect(await commit(w, final)).toBe('committed')
      for (const next of [approved(opened), final]) expect(await commit(w, next)).toBe('stale')
      expect(await w.proposals.find(opened.id)).toEqual(final)
      const query = { status: 'rejected', limit: 5, now: after(9) } as const
      expect((await w.proposals.list(query)).items).toEqual([final])
    })

    test('an expired proposal changes no more', async () => {
      const opened = await stored(w, { expiresAt: after(10) })
      const approval = { at: after(10), by: 'eva' }
      expect(await commit(w, { ...opened, status: 'approved', approval })).toBe('stale')
      const rejection = { at: after(10), by: 'eva', reason: 'late' }
      expect(await commit(w, { ...opened, status: 'rejected', rejection })).toBe('stale')
      const withdrawal = { at: after(10), by: 'ana' }
      expect(await commit(w, { ...opened, status: 'withdrawn', withdrawal })).toBe('stale')
      expect(await w.proposals.find(opened.id)).toEqual(opened)
    })

    test('exactly one of 12 concurrent approvals, rejections and withdrawals commits', async () => {
      const opened = await stored(w)
      const withdrawn = step(withdrawProposal(opened, { by: 'ana', isAdmin: false }, after(1)))
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          commit(w, [approved(opened), approved(opened, 'ben'), rejected(opened), withdrawn][n % 4] ?? withdrawn),
        ),
      )
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(await auditOf(w, opened)).toHaveLength(2)
    })

    test('lists newest first, by state, tenant, action and subject, in pages', async () => {
      const [one, other] = [await w.newTenant(), await w.newTenant()]
      const expiring = await stored(w, { tenantId: one.id, expiresAt: after(10) })
      const waiting = await stored(w, { tenantId: one.id, createdAt: after(1) })
      const credit = await stored(w, { tenantId: other.id, action: actions.credit_deposit, createdAt: after(2) })
      const agreed = approved(await stored(w, { tenantId: other.id, createdAt: after(3) }))
      await commit(w, agreed)
      const ids = async (filter: object) => {
        const query = { limit: 10, now: after(100), ...filter }
        return (await w.proposals.list(query)).items.map(({ id }) => id)
      }
      expect(await ids({})).toEqual([agreed, credit, waiting, expiring].map(({ id }) => id))
      expect(await ids({ tenantId: one.id })).toEqual([waiting.id, expiring.id])
      expect(await ids({ status: 'open' })).toEqual([credit.id, waiting.id])
      expect(await ids({ status: 'expired' })).toEqual([expiring.id])
      expect(await ids({ status: 'expired', now: after(9) })).toEqual([])
      expect(await ids({ status: 'approved' })).toEqual([agreed.id])
      expect(await ids({ action: 'credit_deposit' })).toEqual([credit.id])
      expect(await ids({ tenantId: other.id, status: 'open' })).toEqual([credit.id])
      const { subject } = storedAction(credit.action)
      expect(await ids({ subject })).toEqual([credit.id])
      expect(await ids({ subject, tenantId: other.id, status: 'open' })).toEqual([credit.id])
      expect(await ids({ subject, tenantId: one.id })).toEqual([])
      expect(await ids({ subject, status: 'executed' })).toEqual([])
      const first = await w.proposals.list({ limit: 3, now: after(100) })
      const rest = { limit: 3, now: after(100), ...(first.next && { after: first.next }) }
      expect((await w.proposals.list(rest)).items).toEqual([expiring])
      expect((await w.proposals.list(rest)).next).toBeNull()
    })
  })
}

async function draft(w: World<Needed>, over: Partial<OpenProposal> = {}): Promise<OpenProposal> {
  const tenantId = over.tenantId === undefined ? (await w.newTenant()).id : over.tenantId
  const id = w.ids.next('prp', someInstant)
  const author = { id, tenantId, actor: over.proposedBy ?? 'ana', reason: 'corrección ñ' }
  const action: ProposalAction = actions.adjust_wallet
  return { ...openProposalOf(author, action), ...over }
}

function insert(w: World<Needed>, proposal: OpenProposal | ApprovedProposal) {
  const { action, status, createdAt, proposedBy: createdBy } = proposal
  if (action.type === 'issue_api_key' && status === 'open') {
    const key = { ...newKey(w, proposal.tenantId ?? ''), ...action, id: action.keyId, createdAt }
    return w.apiKeys.propose(key, proposal, credentialOf(createdBy))
  }
  if (action.type !== 'issue_operator_token' || status === 'approved')
    return w.proposals.insert(proposal, credentialOf(createdBy))
  const { tokenId: id, fingerprint, ...request } = action
  const hash = fingerprint.repeat(4)
  const token = newOperatorToken({ ...request, hash }, { id, createdAt, createdBy, activatedAt: null })
  return w.operatorTokens.propose({ token, hash }, proposal, credentialOf(createdBy))
}

/** Commits the step with the token of the person who took it. */
const commit = (w: World<Needed>, proposal: DecidedProposal) =>
  w.proposals.commit(proposal, credentialOf(actorOf(proposal)))

async function stored(w: World<Needed>, over: Partial<OpenProposal> = {}): Promise<OpenProposal> {
  const proposal = await draft(w, over)
  expect(await insert(w, proposal)).toBe('committed')
  return proposal
}

const approved = (proposal: OpenProposal, by = 'eva'): ApprovedProposal => step(approveProposal(proposal, by, after(5)))

const rejected = (proposal: OpenProposal, by = 'eva'): DecidedProposal => ({
  ...proposal,
  status: 'rejected',
  rejection: { at: after(5), by, reason: 'falta evidencia ñ' },
})

function step<P extends Proposal>(result: P | string): P {
  if (typeof result === 'string') throw new Error(result)
  return result
}

const auditOf = ({ audit }: World<Needed>, { id }: Proposal) => auditEntries(audit, { subject: id, limit: 10 })
