import { bob, usdt } from '@quipu/core'
import { type ClaimedPayout, ownerClaim, type ProcessingPayout } from '@quipu/core/adapter'
import { decidedStep, type DecidedSettlement, type SettlePayout } from '@quipu/core/operator'
import { credentialOf, laterInstant, newPayoutEvent, paidAnswer, presentedBy, someInstant } from '@quipu/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTransaction, doesWait } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

const leaseSeconds = 100

const harness = useStoreHarness({ clockOverride: () => now })
const now = new Date('2026-04-01T00:00:00.000Z')
beforeAll(async () => {
  // The first calls of a session take longest.
  await yielded(await newWallet())
})

const newWallet = () => harness.newWallet(usdt(100n))
/** A payout whose request holds the first lease. */
const leased = async (tenantId: string): Promise<ProcessingPayout> =>
  harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }), { leaseSeconds })

/** A payout whose request has yielded its claim. */
async function yielded(tenantId: string, dueInSeconds = 50): Promise<ProcessingPayout> {
  const payout = await leased(tenantId)
  const given = { dueInSeconds, raised: {}, calls: [] }
  await harness.stores.payouts.yieldClaim(ownerClaim(payout), given)
  return payout
}

/** The work of a tenant that a worker claims. */
async function claimDue(tenantId: string): Promise<ClaimedPayout[]> {
  const claimed = await harness.stores.payouts.claimDue(100, leaseSeconds)
  return claimed.filter(({ claim }) => claim.tenantId === tenantId)
}

/** The claim of a worker, who has queried the network about the payout, or whose request has. */
async function queried(payout: ProcessingPayout, queriedBy: 'request' | 'worker'): Promise<void> {
  const about = { queriedBy, actor: null, createdAt: someInstant, durationMs: 0, detail: null }
  const call = { id: harness.ids.next('nwc', someInstant), kind: 'status', answer: 'not_seen' }
  const ref = { tenantId: payout.tenantId, payoutId: payout.id }
  await harness.stores.networkCalls.record(ref, [{ ...call, ...about } as never])
}

test('an operator’s claim is refused to who may not write, for another question, and in another tenant’s name', async () => {
  const payout = await yielded(await newWallet())
  const claim = (question: string, person: string, tenantId = payout.tenantId) => {
    const values = [tenantId, payout.id, question, presentedBy(person), someInstant, leaseSeconds, now]
    return harness.sql('select (quipu.claim_payout($1, $2, $3, $4, $5, $6, $7)).result', values)
  }
  for (const person of ['vic', 'nobody']) expect(await claim('status', person)).toEqual([{ result: 'unauthorized' }])
  await expect(claim('pay', 'ana')).rejects.toThrow('no question of an operator')
  await expect(claim('status', 'ana', await newWallet())).rejects.toThrow('that was accepted')
  expect(await claim('status', 'ana')).toEqual([{ result: 'claimed' }])
})

test('an operator’s claim finds the payout ended when it has waited for its settlement', async () => {
  const payout = await yielded(await newWallet())
  const settling = await openTransaction(harness.stores.url)
  await inOneBatch(settling.sql, [harness.settleCommit(payout, paidAnswer(payout))])
  const { tenantId, id: payoutId } = payout
  const call = { tenantId, payoutId, question: 'status', at: someInstant } as const
  const claiming = harness.stores.payoutDecisions.claim(call, credentialOf('ana'), leaseSeconds)
  await doesWait(harness.sql, claiming)
  await settling.commit()
  expect(await claiming).toBe('ended')
})

describe('decide_payout', () => {
  /** An approved settlement of the payout as failed. */
  async function approved(payout: ProcessingPayout, paid: SettlePayout['paid'] = null): Promise<DecidedSettlement> {
    const { tenantId, id: payoutId } = payout
    const id = harness.ids.next('prp', someInstant)
    const action: SettlePayout = { type: 'settle_payout', payoutId, outcome: 'failed', paid, networkPaymentId: null }
    const { proposals } = harness.stores
    const expiresAt = new Date(someInstant.getTime() + 72 * 3_600_000)
    const open = {
      id,
      tenantId,
      action,
      reason: 'why',
      proposedBy: 'ana',
      createdAt: someInstant,
      evidence: { note: 'a letter', digest: 'd'.repeat(64) },
      expiresAt,
      status: 'open',
    } as const
    expect(await proposals.insert(open, credentialOf('ana'))).toBe('committed')
    const approval = { at: someInstant, by: 'eva' }
    const agreed = { ...open, status: 'approved', approval } as const
    expect(await proposals.commit(agreed, credentialOf('eva'))).toBe('committed')
    const { event: type, ...decided } = decidedStep(payout, action, laterInstant)
    if (type === null) throw new Error('a failed payout has an event')
    const event = newPayoutEvent(decided.payout, type, harness.ids)
    return { step: { ...decided, event }, action, proposalId: id, actor: 'ana', reason: 'why' }
  }
  const decide = (settlement: DecidedSettlement) => harness.stores.payoutDecisions.settle(settlement)

  test('keeps the reference that the network gave', async () => {
    const payout = await leased(await newWallet())
    await harness.stores.payouts.yieldClaim(ownerClaim(payout), {
      dueInSeconds: 50,
      raised: {},
      calls: [],
      networkRef: 'nr-2',
    })
    await queried(payout, 'worker')
    expect(await decide(await approved(payout))).toBe('committed')
    const kept = 'select network_ref from quipu.payout_end where payout_id = $1'
    expect(await harness.sql(kept, [payout.id])).toEqual([{ network_ref: 'nr-2' }])
  })

  test('is not approved without the amount that the proposal has', async () => {
    const payout = await yielded(await newWallet())
    await queried(payout, 'worker')
    const settlement = await approved(payout, bob(1n))
    expect(await decide({ ...settlement, action: { ...settlement.action, paid: null } })).toBe('not_approved')
    expect(await decide(settlement)).toBe('committed')
  })

  test('is stale for another tenant’s payout, and for an unknown one', async () => {
    const payout = await yielded(await newWallet())
    await queried(payout, 'worker')
    const settlement = await approved(payout)
    for (const wrong of [{ tenantId: await newWallet() }, { id: 'po_unknown' }]) {
      const settled = { ...settlement.step.payout, ...wrong }
      const decided = { ...settlement, step: { ...settlement.step, payout: settled } }
      expect(await decide(decided)).toBe('stale')
    }
    expect(await decide(settlement)).toBe('committed')
  })

  test('refuses a payout that only its request has queried, though others were', async () => {
    const tenantId = await newWallet()
    await queried(await yielded(tenantId), 'worker')
    const payout = await yielded(tenantId)
    const settlement = await approved(payout)
    await expect(decide(settlement)).rejects.toThrow('was not queried')
    await queried(payout, 'request')
    await expect(decide(settlement)).rejects.toThrow('was not queried')
    expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ held: usdt(20n) })
  })

  test('settles one of the tenant’s open payouts, with a fencing token that no claim had', async () => {
    const tenantId = await newWallet()
    const [payout, other] = [await yielded(tenantId, 0), await yielded(tenantId, 0)]
    const claimed = await claimDue(tenantId)
    await queried(payout, 'worker')
    expect(await decide(await approved(payout))).toBe('committed')
    // By its token a worker whose answer was lost distinguishes its settlement from that of another.
    const token = 'select fencing_token from quipu.payout_end where payout_id = $1'
    expect(claimed.map((each) => each.claim.fencingToken)).toEqual([2, 2])
    expect(await harness.sql(token, [payout.id])).toEqual([{ fencing_token: 3 }])
    const mine = claimed.find((each) => each.payout.id === other.id)
    const settlement = harness.settleCommit(other, paidAnswer(other), { ...mine, timing: 'afterwards' })
    expect(await harness.stores.payouts.commit(settlement)).toBe('committed')
    await harness.expectBalanced(tenantId)
  })

  test('is stale when it has waited for another settlement', async () => {
    const payout = await yielded(await newWallet())
    await queried(payout, 'worker')
    const settlement = await approved(payout)
    const settling = await openTransaction(harness.stores.url)
    await inOneBatch(settling.sql, [harness.settleCommit(payout, paidAnswer(payout))])
    const deciding = decide(settlement)
    await doesWait(harness.sql, deciding)
    await settling.commit()
    expect(await deciding).toBe('stale')
    await harness.expectBalanced(payout.tenantId)
  })
})
