import { describe, expect, test } from 'vitest'
import {
  type ClaimedPayout,
  ownerClaim,
  type ProcessingPayout,
  type ClaimYield,
  usdt,
} from '@quipu/core'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'tenants'

/** Leases are 100 s and steps are tens of seconds, so that a clock that also runs by itself is no matter. */
const leaseSeconds = 100

const dueIn = (dueInSeconds: number): ClaimYield => ({ dueInSeconds, raised: {} })

export function claimPayoutTests(open: OpenHarness<Needed>): void {
  describe('leases of the owner', () => {
    ownerContract(open)
  })
  describe('claims of workers', () => {
    workerContract(open)
  })
}

async function owned(w: World<Needed>): Promise<ProcessingPayout> {
  const tenantId = await w.newWallet(usdt(100n))
  return w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }), { leaseSeconds })
}

function ownerContract(open: OpenHarness<Needed>): void {
  const world = useWorld(open, 'each')

  const isLeased = async (w: World<Needed>, { tenantId, transactionId }: ProcessingPayout) =>
    (await w.payouts.find(tenantId, transactionId))?.leased

  test('no worker can claim a payout while its owner’s lease lives', async () => {
    const w = world()
    const payout = await owned(w)
    await w.advance(90)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    expect(await isLeased(w, payout)).toBe(true)
  })

  test('a payout whose owner went silent is due when the lease ends', async () => {
    const w = world()
    const payout = await owned(w)
    await w.advance(101)
    expect(await isLeased(w, payout)).toBe(false)
    const { tenantId, id: payoutId } = payout
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([
      {
        payout,
        claim: { tenantId, payoutId, fencingToken: 2 },
        claimCount: 1,
        unansweredCount: 0,
        openSeconds: expect.closeTo(101, 0) as number,
        raised: {},
      },
    ])
    expect(await isLeased(w, payout)).toBe(true)
  })

  test('a renewed lease lives on from now', async () => {
    const w = world()
    const payout = await owned(w)
    await w.advance(90)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
    await w.advance(90)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    expect(await isLeased(w, payout)).toBe(true)
    await w.advance(11)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toHaveLength(1)
  })

  test('a lease that ended can be renewed as long as nobody has claimed the payout', async () => {
    const w = world()
    const payout = await owned(w)
    await w.advance(200)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
  })

  test('a released payout is unleased at once and due when it was said to be', async () => {
    const w = world()
    const payout = await owned(w)
    expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(50))).toBe(true)
    expect(await isLeased(w, payout)).toBe(false)
    await w.advance(40)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    await w.advance(11)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toHaveLength(1)
  })

  test('once a worker has claimed it, the owner can neither renew, release nor settle', async () => {
    const w = world()
    const payout = await owned(w)
    await w.advance(101)
    const [claimed] = await w.payouts.claimDue(10, leaseSeconds)
    expect(await w.payouts.renew(ownerClaim(payout), 1_000)).toBe(false)
    expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(0))).toBe(false)
    expect(await w.payouts.commit(w.settleCommit(payout, { type: 'cancelled' }))).toBe('stale')
    expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(payout)
    const write = w.settleCommit(payout, paidAnswer(payout), { ...claimed, timing: 'late' })
    expect(await w.payouts.commit(write)).toBe('committed')
  })

  test('an ended payout has no lease and is never due', async () => {
    const w = world()
    const payout = await owned(w)
    expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe('committed')
    expect(await isLeased(w, payout)).toBe(false)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(false)
    expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(0))).toBe(false)
    await w.payouts.wake(payout.id)
    await w.advance(1_000)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
  })

  test('nobody renews or releases with another tenant’s name', async () => {
    const w = world()
    const payout = await owned(w)
    const stranger = await owned(w)
    const claim = { ...ownerClaim(payout), tenantId: stranger.tenantId }
    expect(await w.payouts.renew(claim, 1_000)).toBe(false)
    expect(await w.payouts.yieldClaim(claim, dueIn(0))).toBe(false)
    expect(await isLeased(w, payout)).toBe(true)
  })
}

function workerContract(open: OpenHarness<Needed>): void {
  const world = useWorld(open, 'each')

  /** Payouts that become due one after another, ten seconds apart. */
  async function released(w: World<Needed>, count: number): Promise<ProcessingPayout[]> {
    const payouts = []
    for (let i = 0; i < count; i++) {
      const payout = await owned(w)
      await w.payouts.yieldClaim(ownerClaim(payout), dueIn(10 * (i + 1)))
      payouts.push(payout)
    }
    return payouts
  }
  const idsOf = (payouts: readonly (ProcessingPayout | undefined)[]) =>
    new Set(payouts.map((payout) => payout?.id))
  const claimedIds = (claimed: readonly ClaimedPayout[]) =>
    idsOf(claimed.map(({ payout }) => payout))
  async function claimOne(w: World<Needed>): Promise<ClaimedPayout> {
    const [claimed] = await w.payouts.claimDue(1, leaseSeconds)
    if (claimed === undefined) throw new Error('nothing was due')
    return claimed
  }

  test('the oldest due are claimed first, no more than were asked for', async () => {
    const w = world()
    const [first, second, third] = await released(w, 3)
    await w.advance(60)
    expect(claimedIds(await w.payouts.claimDue(2, leaseSeconds))).toEqual(idsOf([first, second]))
    expect(claimedIds(await w.payouts.claimDue(2, leaseSeconds))).toEqual(idsOf([third]))
    expect(await w.payouts.claimDue(2, leaseSeconds)).toEqual([])
  })

  test('what is not yet due is not claimed', async () => {
    const w = world()
    const [first] = await released(w, 3)
    await w.advance(15)
    expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds))).toEqual(idsOf([first]))
  })

  test('of many workers at once exactly one gets each payout', async () => {
    const w = world()
    const payouts = await released(w, 6)
    await w.advance(100)
    const claims = await Promise.all(
      Array.from({ length: 12 }, () => w.payouts.claimDue(4, leaseSeconds)),
    )
    // A worker that finds a row taken may leave empty-handed; the next round finds what was left.
    const claimed = [...claims.flat(), ...(await w.payouts.claimDue(10, leaseSeconds))]
    expect(claimed).toHaveLength(payouts.length)
    expect(claimedIds(claimed)).toEqual(idsOf(payouts))
    for (const { claim } of claimed) expect(claim.fencingToken).toBe(2)
  })

  test('every claim raises the fence and counts one more question', async () => {
    const w = world()
    await owned(w)
    for (const round of [1, 2, 3]) {
      await w.advance(101)
      expect(await claimOne(w)).toMatchObject({
        claimCount: round,
        claim: { fencingToken: round + 1 },
      })
    }
  })

  test('a payout that is given back keeps its count, and its old claims stay dead', async () => {
    const w = world()
    const payout = await owned(w)
    await w.advance(101)
    const first = await claimOne(w)
    expect(await w.payouts.yieldClaim(first.claim, dueIn(20))).toBe(true)
    await w.advance(21)
    const second = await claimOne(w)
    expect(second).toMatchObject({ claimCount: 2, claim: { fencingToken: 3 } })
    expect(await w.payouts.renew(first.claim, leaseSeconds)).toBe(false)
    expect(await w.payouts.yieldClaim(first.claim, dueIn(0))).toBe(false)
    expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout), first))).toBe('stale')
    expect(await w.payouts.renew(second.claim, leaseSeconds)).toBe(true)
    expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout), second))).toBe(
      'committed',
    )
  })

  test('waking makes an unleased payout due at once', async () => {
    const w = world()
    const payout = await owned(w)
    await w.payouts.yieldClaim(ownerClaim(payout), dueIn(1_000))
    await w.payouts.wake(payout.id)
    expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds))).toEqual(idsOf([payout]))
  })

  test('waking a leased payout makes it due when it is given back, once', async () => {
    const w = world()
    const payout = await owned(w)
    await w.payouts.wake(payout.id)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
    await w.payouts.yieldClaim(ownerClaim(payout), dueIn(1_000))
    const [claimed] = await w.payouts.claimDue(10, leaseSeconds)
    expect(claimed?.payout.id).toBe(payout.id)
    if (claimed) await w.payouts.yieldClaim(claimed.claim, dueIn(1_000))
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
  })

  test('waking takes a leased payout from nobody, and does not mind an unknown one', async () => {
    const w = world()
    const payout = await owned(w)
    await w.payouts.wake(payout.id)
    await w.payouts.wake('po_00000000000000000000000000')
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
  })
}
