import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { type ClaimedPayout, ownerClaim, type ProcessingPayout, type ClaimYield } from '@quipu/core/adapter'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'

/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds = 100

const dueIn = (dueInSeconds: number): ClaimYield => ({ dueInSeconds, raised: {}, calls: [] })

export function claimPayoutTests(open: OpenHarness<Needed>): void {
  describe('the lease of the owner', () => {
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
  const w = useWorld(open, 'each')

  const isLeased = async (w: World<Needed>, { tenantId, transactionId }: ProcessingPayout) =>
    (await w.payouts.find(tenantId, transactionId))?.leased

  test('a worker cannot claim a payout during its owner’s lease', async () => {
    const payout = await owned(w)
    await w.advance(90)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    expect(await isLeased(w, payout)).toBe(true)
  })

  test('a payout is due when its owner’s lease ends', async () => {
    const payout = await owned(w)
    await w.advance(101)
    expect(await isLeased(w, payout)).toBe(false)
    const { tenantId, id: payoutId } = payout
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([
      {
        payout,
        claim: { tenantId, payoutId, fencingToken: 2 },
        claimCount: 1,
        unanswered: 0,
        openSeconds: expect.closeTo(101, 0) as number,
        raised: {},
        isOrdered: null,
        givenRef: null,
      },
    ])
    expect(await isLeased(w, payout)).toBe(true)
  })

  describe('the mark of an order', () => {
    const marking = async (w: World<Needed>) => {
      const tenantId = await w.newWallet(usdt(100n))
      const quote = await w.newQuote(tenantId, { source: usdt(30n) })
      const write = { ...w.acceptCommit(quote, { leaseSeconds }), marksOrder: true } as const
      expect(await w.payouts.commit(write)).toBe('committed')
      return write.step.payout
    }
    const claimedMark = async (w: World<Needed>) => (await w.payouts.claimDue(10, leaseSeconds))[0]?.isOrdered

    test('a payout of which no order was marked was never ordered, also after a renewal', async () => {
      const payout = await marking(w)
      expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
      await w.advance(101)
      expect(await claimedMark(w)).toBe(false)
    })

    test('the mark stays, and extends the lease from now', async () => {
      const payout = await marking(w)
      await w.advance(90)
      expect(await w.payouts.markOrdered(ownerClaim(payout), leaseSeconds)).toBe(true)
      await w.advance(90)
      expect(await isLeased(w, payout)).toBe(true)
      expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
      await w.advance(101)
      expect(await claimedMark(w)).toBe(true)
      await w.advance(101)
      expect(await claimedMark(w)).toBe(true)
    })

    test('nobody marks an order after another claim, or of a payout that has ended', async () => {
      const [taken, ended] = [await marking(w), await marking(w)]
      expect(await w.payouts.commit(w.settleCommit(ended, { type: 'cancelled' }))).toBe('committed')
      await w.advance(101)
      expect(await claimedMark(w)).toBe(false)
      for (const payout of [taken, ended])
        expect(await w.payouts.markOrdered(ownerClaim(payout), leaseSeconds)).toBe(false)
      await w.advance(101)
      expect(await claimedMark(w)).toBe(false)
    })

    test('a mark and a claim that race agree: an order leaves only where the claim shows it', async () => {
      const payouts = [await marking(w), await marking(w), await marking(w), await marking(w)]
      await w.advance(101)
      const [claimed, ...marks] = await Promise.all([
        w.payouts.claimDue(10, leaseSeconds),
        ...payouts.map((payout) => w.payouts.markOrdered(ownerClaim(payout), leaseSeconds)),
      ])
      for (const [i, payout] of payouts.entries()) {
        const claim = claimed.find((each) => each.payout.id === payout.id)
        expect([claim?.isOrdered ?? true, marks[i]]).not.toEqual([false, true])
      }
    })
  })

  test('a reference given with a yield is that of the next claims', async () => {
    const payout = await owned(w)
    expect(await w.payouts.yieldClaim(ownerClaim(payout), { ...dueIn(0), networkRef: 'given-1' })).toBe(true)
    for (let again = 0; again < 2; again++) {
      const [claimed] = await w.payouts.claimDue(10, leaseSeconds)
      expect(claimed).toMatchObject({ payout: { ...payout, networkRef: 'given-1' }, givenRef: 'given-1' })
      if (claimed) expect(await w.payouts.yieldClaim(claimed.claim, dueIn(0))).toBe(true)
    }
  })

  test('renew extends the lease from now', async () => {
    const payout = await owned(w)
    await w.advance(90)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
    await w.advance(90)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    expect(await isLeased(w, payout)).toBe(true)
    await w.advance(11)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toHaveLength(1)
  })

  test('an expired lease can be renewed until a worker claims the payout', async () => {
    const payout = await owned(w)
    await w.advance(200)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
  })

  test('yieldClaim ends the lease at once; the payout is due after `dueInSeconds`', async () => {
    const payout = await owned(w)
    expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(50))).toBe(true)
    expect(await isLeased(w, payout)).toBe(false)
    await w.advance(40)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    await w.advance(11)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toHaveLength(1)
  })

  test('after a worker has claimed the payout, the owner can neither renew, yield nor settle', async () => {
    const payout = await owned(w)
    await w.advance(101)
    const [claimed] = await w.payouts.claimDue(10, leaseSeconds)
    expect(await w.payouts.renew(ownerClaim(payout), 1_000)).toBe(false)
    expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(0))).toBe(false)
    expect(await w.payouts.commit(w.settleCommit(payout, { type: 'cancelled' }))).toBe('stale')
    expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(payout)
    const write = w.settleCommit(payout, paidAnswer(payout), { ...claimed, timing: 'afterwards' })
    expect(await w.payouts.commit(write)).toBe('committed')
  })

  test('a settled payout has no lease and is never due', async () => {
    const payout = await owned(w)
    expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe('committed')
    expect(await isLeased(w, payout)).toBe(false)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(false)
    expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(0))).toBe(false)
    await w.payouts.hint(payout.id)
    await w.advance(1_000)
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
  })

  test('a claim with another tenant’s id neither renews nor yields', async () => {
    const payout = await owned(w)
    const otherTenant = await owned(w)
    const claim = { ...ownerClaim(payout), tenantId: otherTenant.tenantId }
    expect(await w.payouts.renew(claim, 1_000)).toBe(false)
    expect(await w.payouts.yieldClaim(claim, dueIn(0))).toBe(false)
    expect(await isLeased(w, payout)).toBe(true)
  })
}

function workerContract(open: OpenHarness<Needed>): void {
  const w = useWorld(open, 'each')

  /** Yielded payouts that become due ten seconds apart. */
  async function released(w: World<Needed>, count: number): Promise<ProcessingPayout[]> {
    const payouts = []
    for (let i = 0; i < count; i++) {
      const payout = await owned(w)
      await w.payouts.yieldClaim(ownerClaim(payout), dueIn(10 * (i + 1)))
      payouts.push(payout)
    }
    return payouts
  }
  const idsOf = (payouts: readonly (ProcessingPayout | undefined)[]) => new Set(payouts.map((payout) => payout?.id))
  const claimedIds = (claimed: readonly ClaimedPayout[]) => idsOf(claimed.map(({ payout }) => payout))
  async function claimOne(w: World<Needed>): Promise<ClaimedPayout> {
    const [claimed] = await w.payouts.claimDue(1, leaseSeconds)
    if (claimed === undefined) throw new Error('no payout is due')
    return claimed
  }

  test('claims the oldest due payouts first, at most `limit`', async () => {
    const [first, second, third] = await released(w, 3)
    await w.advance(60)
    expect(claimedIds(await w.payouts.claimDue(2, leaseSeconds))).toEqual(idsOf([first, second]))
    expect(claimedIds(await w.payouts.claimDue(2, leaseSeconds))).toEqual(idsOf([third]))
    expect(await w.payouts.claimDue(2, leaseSeconds)).toEqual([])
  })

  test('claims at most `limit` of the payouts of one tenant whose requests have died', async () => {
    const tenantId = await w.newWallet(usdt(100n))
    for (let i = 0; i < 3; i++) await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }), { leaseSeconds })
    await w.advance(101)
    expect(await w.payouts.claimDue(2, leaseSeconds)).toHaveLength(2)
    expect(await w.payouts.claimDue(2, leaseSeconds)).toHaveLength(1)
  })

  test('a yielded payout keeps its claim count, and older claims stay invalid', async () => {
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
    expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout), second))).toBe('committed')
  })

  test('neither an owner nor a worker can renew a claim that it has yielded', async () => {
    const payout = await owned(w)
    await w.payouts.yieldClaim(ownerClaim(payout), dueIn(10))
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(false)
    await w.advance(11)
    const { claim } = await claimOne(w)
    await w.payouts.yieldClaim(claim, dueIn(10))
    expect(await w.payouts.renew(claim, leaseSeconds)).toBe(false)
    await w.advance(11)
    expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds))).toEqual(idsOf([payout]))
  })

  test('a hint makes an unleased payout due at once', async () => {
    const payout = await owned(w)
    await w.payouts.yieldClaim(ownerClaim(payout), dueIn(1_000))
    await w.payouts.hint(payout.id)
    expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds))).toEqual(idsOf([payout]))
  })

  test('a hint during a lease makes the payout due when the claim is yielded, once', async () => {
    const payout = await owned(w)
    await w.payouts.hint(payout.id)
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
    await w.payouts.yieldClaim(ownerClaim(payout), dueIn(1_000))
    const [claimed] = await w.payouts.claimDue(10, leaseSeconds)
    expect(claimed?.payout.id).toBe(payout.id)
    if (claimed) await w.payouts.yieldClaim(claimed.claim, dueIn(1_000))
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
  })

  test('a hint does not end a lease, and ignores an unknown payout', async () => {
    const payout = await owned(w)
    await w.payouts.hint(payout.id)
    await w.payouts.hint('po_00000000000000000000000000')
    expect(await w.payouts.claimDue(10, leaseSeconds)).toEqual([])
    expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds)).toBe(true)
  })
}
