import { expect, test } from 'vitest'
import { bob, usdt } from '@quipu/core'
import { recordPayoutStepOf } from '../../fixtures/payout/decided-settlement.ts'
import { type ClaimedPayout, ownerClaim, type ProcessingPayout } from '@quipu/core/adapter'
import {
  type ApprovedProposal,
  auditSettlement,
  type DecidedSettlement,
  executeProposal,
  type SettlePayout,
} from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { eventsAbout } from '../../fixtures/events-about.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { openProposalOf } from '../../fixtures/proposal/approve-action.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

/** The stores that the tests of decisions about payouts need. */
export type Needed =
  | 'events'
  | 'payouts'
  | 'networkCalls'
  | 'networks'
  | 'payoutDecisions'
  | 'quotes'
  | 'wallets'
  | 'proposals'
  | 'tenants'
  | 'audit'

const evidence = { note: 'carta de la red', digest: 'd'.repeat(64) }

/** A payout about which a worker has queried the network, whose lease has ended; and the worker's claim. */
async function queried(w: World<Needed>): Promise<ClaimedPayout> {
  const tenantId = await w.newWallet(usdt(100n))
  const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }))
  await w.payouts.yieldClaim(ownerClaim(payout), { dueInSeconds: 0, raised: {}, calls: [] })
  const [claimed] = await w.payouts.claimDue(1, 100)
  if (!claimed) throw new Error('the payout is due')
  const about = { queriedBy: 'worker', actor: null, durationMs: 0, detail: null } as const
  const call = { id: w.ids.next('nwc', someInstant), createdAt: someInstant, ...about } as const
  const ref = { tenantId, payoutId: payout.id }
  await w.networkCalls.record(ref, [{ ...call, kind: 'status', answer: 'not_seen' }])
  return claimed
}

const actionOf = ({ id: payoutId }: ProcessingPayout, outcome: SettlePayout['outcome']): SettlePayout => ({
  type: 'settle_payout',
  payoutId,
  outcome,
  paid: outcome === 'completed' ? bob(9900n) : null,
  networkPaymentId: outcome === 'completed' ? 'np-7' : null,
})

type Decision = { readonly proposal: ApprovedProposal; readonly settlement: DecidedSettlement }

/** An approved proposal of this settlement; `over` changes what is then settled. */
async function approved(
  w: World<Needed>,
  payout: ProcessingPayout,
  outcome: SettlePayout['outcome'] = 'completed',
  over: Partial<SettlePayout> = {},
): Promise<Decision> {
  const action = actionOf(payout, outcome)
  const id = w.ids.next('prp', someInstant)
  const author = { id, tenantId: payout.tenantId, actor: 'ana', reason: 'la red pagó otro monto' }
  const open = { ...openProposalOf(author, action), evidence }
  await w.proposals.insert(open, credentialOf('ana'))
  const proposal = { ...open, status: 'approved', approval: { at: someInstant, by: 'eva' } } as const
  expect(await w.proposals.commit(proposal, credentialOf('eva'))).toBe('committed')
  const settled = { ...action, ...over }
  const step = recordPayoutStepOf(w.ids, payout, settled, laterInstant)
  const { reason } = author
  return { proposal, settlement: { step, action: settled, proposalId: id, actor: 'ana', reason } }
}

export function decidePayoutTests(open: OpenHarness<Needed>): void {
  const w = useWorld(open, 'each')

  test.each([
    ['completed', 70n, 'payout.completed'],
    ['failed', 100n, 'payout.failed'],
    ['cancelled', 100n, 'payout.cancelled'],
  ] as const)('settles a payout as %s, with its proposal, event and audit entry', async (...row) => {
    const [outcome, available, type] = row
    const { payout } = await queried(w)
    const { tenantId, id } = payout
    const { proposal, settlement } = await approved(w, payout, outcome)
    expect(await w.payoutDecisions.settle(settlement)).toBe('committed')
    expect(await w.payouts.get(tenantId, id)).toEqual(settlement.step.payout)
    expect(await balanceOf(w, tenantId)).toEqual({ available, held: 0n })
    const [event, ...more] = await eventsAbout(w, tenantId, id)
    expect([event?.type, more]).toEqual([type, []])
    expect(event?.body).toEqual(settlement.step.event?.recordedOn(settlement.step.event.recordedAt).body)
    expect(await w.proposals.find(proposal.id)).toEqual(executeProposal(proposal, laterInstant))
    const audit = await auditEntries(w.audit, { subject: id, limit: 10 })
    expect(audit).toEqual([auditSettlement(settlement, laterInstant, originOf(settlement.actor))])
    expect(await w.payoutDecisions.settle(settlement)).toBe('stale')
  })

  test('nothing is settled without an approved proposal of exactly this settlement', async () => {
    const { payout } = await queried(w)
    const differences = [{ outcome: 'failed' }, { paid: bob(1n) }, { networkPaymentId: null }] as const
    for (const over of differences) {
      const { settlement } = await approved(w, payout, 'completed', over)
      expect(await w.payoutDecisions.settle(settlement)).toBe('not_approved')
    }
    const { settlement } = await approved(w, payout)
    for (const over of [{ proposalId: 'prp_x' }, { actor: 'eva' }, { reason: 'otra' }])
      expect(await w.payoutDecisions.settle({ ...settlement, ...over })).toBe('not_approved')
    expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(payout)
    expect(await balanceOf(w, payout.tenantId)).toEqual({ available: 70n, held: 30n })
  })

  test('a hold is never released by people before the network was queried, however old it is', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }))
    await w.advance(2 * 86_400)
    const { settlement } = await approved(w, payout, 'cancelled')
    await expect(w.payoutDecisions.settle(settlement)).rejects.toThrow('was not queried')
    expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 30n })
  })

  test('exactly one of a worker and twelve executions settles, and the hold moves once', async () => {
    const claimed = await queried(w)
    const { payout } = claimed
    const { proposal, settlement } = await approved(w, payout, 'failed')
    const byWorker = w.settleCommit(payout, paidAnswer(payout), { ...claimed, timing: 'afterwards' })
    const [worker, ...people] = await Promise.all([
      w.payouts.commit(byWorker),
      ...Array.from({ length: 12 }, () => w.payoutDecisions.settle(settlement)),
    ])
    const isWorkers = worker === 'committed'
    expect(people.filter((result) => result === 'committed')).toHaveLength(isWorkers ? 0 : 1)
    expect(people.filter((result) => result === 'stale')).toHaveLength(isWorkers ? 12 : 11)
    const available = isWorkers ? 70n : 100n
    expect(await balanceOf(w, payout.tenantId)).toEqual({ available, held: 0n })
    expect(await eventsAbout(w, payout.tenantId, payout.id)).toHaveLength(1)
    const status = (await w.proposals.find(proposal.id))?.status
    expect(status).toBe(isWorkers ? 'approved' : 'executed')
  })

  test('after people have settled it, the worker’s claim is stale and the payout is never due', async () => {
    const claimed = await queried(w)
    const { settlement } = await approved(w, claimed.payout, 'cancelled')
    expect(await w.payoutDecisions.settle(settlement)).toBe('committed')
    const late = w.settleCommit(claimed.payout, paidAnswer(claimed.payout), claimed)
    expect(await w.payouts.commit(late)).toBe('stale')
    await w.advance(1_000)
    expect(await w.payouts.claimDue(10, 100)).toEqual([])
  })

  test('a settlement before the newest entry of the log gets the instant of that entry', async () => {
    const { payout } = await queried(w)
    const { tenantId } = payout
    const { proposal, settlement } = await approved(w, payout, 'failed')
    const logged = w.insertEndedCommit(await w.newQuote(tenantId), { at: laterInstant })
    await w.payouts.commit(logged)
    const step = recordPayoutStepOf(w.ids, payout, settlement.action, someInstant)
    expect(await w.payoutDecisions.settle({ ...settlement, step })).toBe('committed')
    expect(await w.payouts.get(tenantId, payout.id)).toMatchObject({ endedAt: laterInstant })
    const [event] = await eventsAbout(w, tenantId, payout.id)
    expect(event?.recordedAt).toEqual(laterInstant)
    const executed = executeProposal(proposal, laterInstant)
    expect(await w.proposals.find(proposal.id)).toEqual(executed)
  })
}
