import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import {
  defaultProposalSettings,
  type ManageProposals,
  manageProposals,
  type ManageProposalsPorts,
  type Operator,
  type Proposal,
  type ProposalAnswer,
  type ReviewsNotOpen,
  Unauthorized,
} from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { eventTypesOf } from '../../fixtures/events-about.ts'
import { depositBuilders } from '../../fixtures/deposit/deposit-builders.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'
import { type DepositStores, type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { operatorNamed } from '../../fixtures/proposal/operators.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = DepositStores | 'audit' | 'payoutDecisions' | 'screeningCases'

const note = { reason: 'cobro doble', evidence: null }
const [ana, eva, ben] = [operatorNamed('ana'), operatorNamed('eva'), operatorNamed('ben')]
const credit = { direction: 'in', amount: usdt(5_000_000n) } as const

/** The contract of `manageProposals` on the stores of an adapter. */
export function manageProposalsContract(name: string, open: OpenHarness<Needed>, { runs = 20 }: Runs = {}): void {
  describe(`proposals of two people on ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a second person’s approval moves the money once', async () => {
      const { proposals, tenantId } = await begin(w)
      const { id } = proposalOf(await proposals.adjustWallet(ana, tenantId, credit, note))
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 0n })
      expect(await proposals.approve(ana, id)).toEqual(refused('own_proposal'))
      expect(await proposals.execute(id)).toEqual(refused('not_approved'))
      const revoked = { ...eva, tokenHash: '00'.repeat(32) }
      await expect(proposals.approve(revoked, id)).rejects.toThrow(Unauthorized)
      await expect(proposals.adjustWallet(revoked, tenantId, credit, note)).rejects.toThrow(Unauthorized)
      const executed = await proposals.approve(eva, id)
      expect(executed).toMatchObject({
        type: 'proposal',
        proposal: { id, status: 'executed', approval: { by: 'eva' } },
      })
      expect(await proposals.approve(eva, id)).toEqual(executed)
      expect(await proposals.execute(id)).toEqual(executed)
      expect(await proposals.approve(ben, id)).toEqual(refused('not_open'))
      expect(await proposals.withdraw(ana, id)).toEqual(refused('not_open'))
      expect(await balanceOf(w, tenantId)).toEqual({ available: 5_000_000n, held: 0n })
      const actions = (await w.audit.list({ tenantId, limit: 10 })).map(({ action }) => action)
      expect(actions).toEqual(['wallet.adjust', 'proposal.approve', 'proposal.open', 'tenant.create'])
    })

    test('the same request made again is answered with its proposal; another one with its key is refused', async () => {
      const { proposals, tenantId } = await begin(w)
      const propose = (fingerprint: string) =>
        proposals.adjustWallet(ana, tenantId, credit, { ...note, request: { key: 'k', fingerprint } })
      const first = proposalOf(await propose('v1:a'))
      expect(await propose('v1:a')).toEqual({ type: 'proposal', proposal: first, replayed: true })
      expect(await propose('v1:b')).toEqual(refused('key_reused'))
    })

    test('a store that takes no step ends the attempts as unavailable', async () => {
      const { proposals, tenantId, portsOf } = await begin(w)
      const { id } = proposalOf(await proposals.adjustWallet(ana, tenantId, credit, note))
      const never = { ...w.proposals, commit: () => Promise.resolve('stale' as const) }
      const stuck = manageProposals(portsOf({ proposals: never }), defaultProposalSettings)
      await expect(stuck.approve(eva, id)).rejects.toThrow('it took none of 1000 attempts of a change')
    })

    test('an adjustment that the balance does not cover fails, for good', async () => {
      const { proposals, tenantId } = await begin(w)
      const out = { direction: 'out', amount: usdt(1n) } as const
      const { id } = proposalOf(await proposals.adjustWallet(ana, tenantId, out, note))
      const failed = await proposals.approve(eva, id)
      expect(failed).toMatchObject({ proposal: { status: 'failed', failure: { code: 'INSUFFICIENT_BALANCE' } } })
      const funds = proposalOf(await proposals.adjustWallet(ana, tenantId, credit, note))
      await proposals.approve(eva, funds.id)
      expect(await proposals.execute(id)).toEqual(failed)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 5_000_000n, held: 0n })
    })

    test('an execution that was interrupted is finished by the same approval or request, or by anybody', async () => {
      for (const finish of ['approve', 'execute', 'request'] as const) {
        const { proposals, tenantId, portsOf } = await begin(w)
        const asked = { ...note, request: { key: `key of ${tenantId}`, fingerprint: 'f' } }
        const propose = () => proposals.adjustWallet(ana, tenantId, credit, asked)
        const { id } = proposalOf(await propose())
        const finishers = {
          approve: () => proposals.approve(eva, id),
          execute: () => proposals.execute(id),
          request: propose,
        }
        const dying = manageProposals(
          portsOf({ wallets: { adjust: () => Promise.reject(new Error('killed')) } }),
          defaultProposalSettings,
        )
        await expect(dying.approve(eva, id)).rejects.toThrow('killed')
        expect((await w.proposals.find(id))?.status).toBe('approved')
        expect(await proposals.withdraw(ana, id)).toEqual(refused('not_open'))
        const answers = await Promise.all(Array.from({ length: 6 }, finishers[finish]))
        for (const answer of answers) expect(proposalOf(answer).status).toBe('executed')
        expect(await balanceOf(w, tenantId)).toEqual({ available: 5_000_000n, held: 0n })
      }
    })

    test('a deposit in review is credited or closed, each by two people', async () => {
      const scene = await depositBuilders(w)
      const { proposals } = await begin(w)
      const [first, second] = [
        await scene.inReview({ value: 500_000n }, {}),
        await scene.inReview({ value: 700_000n }, {}),
      ]
      const credited = proposalOf(await proposals.resolveDeposit(ana, first.id, 'credit_deposit', note))
      const late = proposalOf(await proposals.resolveDeposit(eva, first.id, 'close_deposit', note))
      const closed = proposalOf(await proposals.resolveDeposit(ana, second.id, 'close_deposit', note))
      expect(await w.deposits.find(first.id)).toEqual(first)
      expect(proposalOf(await proposals.approve(eva, credited.id)).status).toBe('executed')
      expect(proposalOf(await proposals.approve(eva, closed.id)).status).toBe('executed')
      expect(await w.deposits.find(first.id)).toMatchObject({ status: 'credited' })
      expect(await w.deposits.find(second.id)).toMatchObject({
        status: 'in_review',
        closed: { actor: 'ana', reason: 'cobro doble' },
      })
      expect(proposalOf(await proposals.approve(ana, late.id))).toMatchObject({
        status: 'failed',
        failure: { code: 'DEPOSIT_ALREADY_RESOLVED' },
      })
      expect(await balanceOf(w, scene.tenantId)).toEqual({ available: 500_000n, held: 0n })
      expect(await proposals.resolveDeposit(ana, first.id, 'credit_deposit', note)).toEqual(refused('already_resolved'))
    })

    test('closes many reviews of a tenant by one proposal, all or none', async () => {
      const scene = await depositBuilders(w)
      const { tenantId } = scene
      const { proposals } = await begin(w)
      const reviews = [
        await scene.inReview({ value: 500_000n }, {}),
        await scene.inReview({ value: 700_000n }, {}),
        await scene.inReview({ value: 300_000n }, {}),
      ] as const
      const [first, second, third] = reviews
      const close = (...of: readonly { readonly id: string }[]) =>
        proposals.closeDeposits(
          ana,
          tenantId,
          of.map(({ id }) => id),
          note,
        )
      const unknown = { id: 'dep_00000000000000000000000000' }
      const late = proposalOf(await close(second, third))
      const both = proposalOf(await close(second, first))
      expect(both).toMatchObject({ status: 'open', action: { amount: usdt(1_200_000n) } })
      expect(proposalOf(await proposals.approve(eva, both.id)).status).toBe('executed')
      for (const { id } of [first, second]) {
        const closed = { actor: 'ana', reason: 'cobro doble' }
        expect(await w.deposits.find(id)).toMatchObject({ status: 'in_review', closed })
        expect(await eventTypesOf(w, tenantId, id)).toEqual(['deposit.pending', 'deposit.in_review', 'deposit.closed'])
        expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toMatchObject([
          { action: 'deposit.close', actor: 'ana', after: { proposal_id: both.id } },
        ])
      }
      expect(proposalOf(await proposals.approve(eva, late.id))).toMatchObject({
        status: 'failed',
        failure: { code: 'DEPOSIT_ALREADY_RESOLVED' },
      })
      expect(await w.deposits.find(third.id)).toEqual(third)
      expect(await close(first, third, unknown)).toEqual({ type: 'not_open', depositIds: [first.id, unknown.id] })
      const other = await begin(w)
      expect(await other.proposals.closeDeposits(ana, other.tenantId, [third.id], note)).toEqual({
        type: 'not_open',
        depositIds: [third.id],
      })
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 0n })
    })

    test('refuses what there is not', async () => {
      const { proposals } = await begin(w)
      const id = '_00000000000000000000000000'
      const answers = [
        await proposals.adjustWallet(ana, `ten${id}`, credit, note),
        await proposals.resolveDeposit(ana, `dep${id}`, 'close_deposit', note),
        await proposals.closeDeposits(ana, `ten${id}`, [`dep${id}`], note),
        await proposals.approve(ana, `prp${id}`),
        await proposals.withdraw(ana, `prp${id}`),
        await proposals.execute(`prp${id}`),
      ]
      expect(answers).toEqual(answers.map(() => refused('not_found')))
    })

    test('whatever three people do when, money moves once, in time, and by two of them', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyCall, { maxLength: 12 }), async (calls) => {
          const { proposals, tenantId, step } = await begin(w)
          const first = proposalOf(await proposals.adjustWallet(ana, tenantId, credit, note))
          for (const [name, operator, seconds] of calls) {
            step(seconds)
            await run(proposals, name, operator, first.id)
          }
          const last = await w.proposals.find(first.id)
          const isExecuted = last?.status === 'executed'
          const available = isExecuted ? credit.amount.minor : 0n
          expect(await balanceOf(w, tenantId)).toEqual({ available, held: 0n })
          if (last && 'approval' in last) {
            expect(last.approval.by).not.toBe('ana')
            expect(last.approval.by).not.toBeNull()
            expect(last.approval.at < last.expiresAt).toBe(true)
            expect(last.status).toBe('executed')
          }
        }),
        { numRuns: runs },
      )
    })
  })
}

const anyCall = fc.tuple(
  fc.constantFrom('approve', 'withdraw', 'execute'),
  fc.constantFrom(ana, eva, ben),
  fc.constantFrom(0, 0, 60, 3_600, defaultProposalSettings.approvableSeconds),
)

async function run(
  proposals: ManageProposals,
  name: 'approve' | 'withdraw' | 'execute',
  operator: Operator,
  id: string,
): Promise<ProposalAnswer> {
  if (name === 'execute') return proposals.execute(id)
  if (name === 'approve') return proposals.approve(operator, id)
  return proposals.withdraw(operator, id)
}

async function begin(w: World<Needed>) {
  const tenantId = await w.newWallet(usdt(0n))
  let now = someInstant
  const { proposals, tenants, wallets, deposits, payoutDecisions, screeningCases, ids } = w
  const portsOf = (other: Partial<ManageProposalsPorts>): ManageProposalsPorts => ({
    proposals,
    tenants,
    wallets,
    deposits,
    payoutDecisions,
    screeningCases,
    ids,
    encodeEvent: encodeForTest,
    now: () => now,
    ...other,
  })
  return {
    tenantId,
    portsOf,
    proposals: manageProposals(portsOf({}), defaultProposalSettings),
    step: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1_000)
    },
  }
}

const refused = (code: string) => ({ type: 'refused', code })

function proposalOf(answer: ProposalAnswer | ReviewsNotOpen): Proposal {
  if (answer.type !== 'proposal') throw new Error(answer.type)
  return answer.proposal
}
