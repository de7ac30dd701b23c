import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { type ClaimedPayout, ownerClaim, type ProcessingPayout } from '@quipu/core/adapter'
import { auditOperatorCall, type OperatorCall } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { decidePayoutTests, type Needed } from './decide-payout.contract.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

const leaseSeconds = 100

/** The contract of a `PayoutDecisionStore`. */
export function payoutDecisionStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`payout decision store in ${name}`, () => {
    describe('reading', () => {
      findTests(open)
    })
    describe('claims of operators', () => {
      claimTests(open)
    })
    describe('settlements by people', () => {
      decidePayoutTests(open)
    })
  })
}

async function processing(w: World<Needed>): Promise<ProcessingPayout> {
  const tenantId = await w.newWallet(usdt(100n))
  return w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }), { leaseSeconds })
}

/** A payout whose request has given up; due in 50 s. */
async function yielded(w: World<Needed>): Promise<ProcessingPayout> {
  const payout = await processing(w)
  const given = { dueInSeconds: 50, raised: { PROCESSING_TOO_LONG: 'slow' }, calls: [] }
  await w.payouts.yieldClaim(ownerClaim(payout), given)
  return payout
}

const ana = credentialOf('ana')

const callOf = (
  { tenantId, id: payoutId }: ProcessingPayout,
  question: OperatorCall['question'] = 'status',
): OperatorCall => ({ tenantId, payoutId, question, at: someInstant })

async function claimed(w: World<Needed>, payout: ProcessingPayout): Promise<ClaimedPayout> {
  const result = await w.payoutDecisions.claim(callOf(payout), ana, leaseSeconds)
  if (typeof result === 'string') throw new Error(result)
  return result
}

function findTests(open: OpenHarness<Needed>): void {
  const w = useWorld(open, 'each')

  test('finds a payout of any tenant, and whether the network was queried about it', async () => {
    await processing(w)
    const payout = await yielded(w)
    expect(await w.payoutDecisions.find(payout.id)).toEqual({
      payout,
      isAsked: false,
      networkPaid: null,
      isRefunded: false,
    })
    const ref = { tenantId: payout.tenantId, payoutId: payout.id }
    for (const queriedBy of ['request', 'worker'] as const) {
      const about = { queriedBy, actor: null, createdAt: someInstant, durationMs: 0, detail: null }
      const queried = { kind: 'status', answer: 'pending', ...about } as const
      await w.networkCalls.record(ref, [{ id: w.ids.next('nwc', someInstant), ...queried }])
      const isAsked = queriedBy === 'worker'
      expect(await w.payoutDecisions.find(payout.id)).toEqual({ payout, isAsked, networkPaid: null, isRefunded: false })
    }
    for (const [seconds, detail] of [
      [2, 'BOB 201.00, payment np-2'],
      [1, 'BOB 1.00'],
    ] as const) {
      const createdAt = new Date(someInstant.getTime() + seconds * 1_000)
      const about = { queriedBy: 'worker', actor: null, createdAt, durationMs: 0, detail } as const
      const call = { id: w.ids.next('nwc', createdAt), kind: 'status', answer: 'paid' } as const
      await w.networkCalls.record(ref, [{ ...call, ...about }])
    }
    expect(await w.payoutDecisions.find(payout.id)).toMatchObject({ networkPaid: 'BOB 201.00, payment np-2' })
    const settle = w.settleCommit(payout, paidAnswer(payout))
    await w.payouts.commit(settle)
    expect(await w.payoutDecisions.find(payout.id)).toMatchObject({ payout: settle.step.payout })
    expect(await w.payoutDecisions.find('po_00000000000000000000000000')).toBeUndefined()
  })
}

function claimTests(open: OpenHarness<Needed>): void {
  const w = useWorld(open, 'each')

  const auditOf = (w: World<Needed>, { id }: ProcessingPayout) => auditEntries(w.audit, { subject: id, limit: 10 })

  test('an operator claims a payout before it is due, with an audit entry', async () => {
    const payout = await yielded(w)
    expect(await claimed(w, payout)).toEqual({
      payout,
      claim: { tenantId: payout.tenantId, payoutId: payout.id, fencingToken: 2 },
      claimCount: 1,
      unanswered: 0,
      openSeconds: expect.closeTo(0, 0) as number,
      raised: { PROCESSING_TOO_LONG: 'slow' },
      isOrdered: null,
      givenRef: null,
    })
    expect(await auditOf(w, payout)).toEqual([auditOperatorCall(callOf(payout), 'processing', originOf('ana'))])
  })

  test('the claim excludes workers and other operators until its lease ends', async () => {
    const payout = await yielded(w)
    await claimed(w, payout)
    await w.advance(60)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    expect(await w.payoutDecisions.claim(callOf(payout, 'cancel'), ana, leaseSeconds)).toBe('leased')
    await w.advance(41)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toMatchObject([{ claim: { fencingToken: 3 }, claimCount: 2 }])
  })

  test('a payout that its request or a worker has leased is not claimed, and nothing is audited', async () => {
    const payout = await processing(w)
    const claim = (): Promise<unknown> => w.payoutDecisions.claim(callOf(payout), ana, leaseSeconds)
    expect(await claim()).toBe('leased')
    await w.advance(101)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toHaveLength(1)
    expect(await claim()).toBe('leased')
    expect(await auditOf(w, payout)).toEqual([])
    await w.advance(101)
    expect(await claim()).toMatchObject({ claim: { fencingToken: 3 } })
  })

  test('after the claim, neither the request nor an earlier worker settles; the operator does', async () => {
    const payout = await processing(w)
    await w.advance(101)
    const [worker] = await w.payouts.claimDue(10, leaseSeconds)
    await w.advance(101)
    const operator = await claimed(w, payout)
    const paid = (claim?: ClaimedPayout) =>
      w.payouts.commit(w.settleCommit(payout, paidAnswer(payout), { ...claim, timing: 'afterwards' }))
    expect(await paid()).toBe('stale')
    expect(await paid(worker)).toBe('stale')
    expect(await paid(operator)).toBe('committed')
  })

  test('exactly one of an operator and concurrent workers claims a due payout', async () => {
    const payout = await yielded(w)
    await w.advance(60)
    const [byOperator, ...byWorkers] = await Promise.all([
      w.payoutDecisions.claim(callOf(payout), ana, leaseSeconds),
      ...Array.from({ length: 4 }, () => w.payouts.claimDue(1, leaseSeconds)),
    ])
    expect(byWorkers.flat()).toHaveLength(byOperator === 'leased' ? 1 : 0)
  })

  test('an ended payout is not claimed; a status call about it is audited', async () => {
    const payout = await yielded(w)
    await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))
    for (const question of ['cancel', 'status'] as const) {
      const result = await w.payoutDecisions.claim(callOf(payout, question), ana, leaseSeconds)
      expect(result).toBe('ended')
    }
    expect(await auditOf(w, payout)).toEqual([auditOperatorCall(callOf(payout), 'completed', originOf('ana'))])
    await w.advance(1_000)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
  })

  test('refuses a payout that was never accepted, and a wrong tenant', async () => {
    const payout = await yielded(w)
    const other = await yielded(w)
    const insert = w.insertEndedCommit(await w.newQuote(payout.tenantId))
    await w.payouts.commit(insert)
    for (const wrong of [{ payoutId: insert.step.payout.id }, { tenantId: other.tenantId }]) {
      const call = { ...callOf(payout), ...wrong }
      await expect(w.payoutDecisions.claim(call, ana, leaseSeconds)).rejects.toThrow('no payout')
    }
  })
}
