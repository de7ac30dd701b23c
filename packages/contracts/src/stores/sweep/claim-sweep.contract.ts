import { describe, expect, test } from 'vitest'
import { type ClaimedSweep, plannedLookSeconds, type SweepStore } from '@quipu/core/operator'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { treasuryAccount } from '../../fixtures/sweep/sweep-chain.ts'
import { firstOf, newSweepPlan, type SweepWorld, sweepPlan } from '../../fixtures/sweep/sweeps.ts'
import { credentialOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'sweeps' | 'tenants' | 'addresses'

/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds = 100
const nothingSent = { sentAt: null, problem: null }

const ada = credentialOf('ada')

export function claimSweepTests(open: OpenHarness<Needed>): void {
  describe('claims of transfers', () => {
    const w = useWorld(open, 'each')
    const claimDue = ({ sweeps }: SweepWorld, limit = 10) => sweeps.claimDue(limit, leaseSeconds)

    test('a planned transfer is due after its time, a signed one at once', async () => {
      const plan = await newSweepPlan(w)
      expect(await claimDue(w)).toEqual([])
      await w.advance(plannedLookSeconds + 1)
      const first = await claimOne(w.sweeps)
      expect(first).toMatchObject({ transfer: firstOf(plan), treasury: treasuryAccount })
      expect(first.claimCount).toBe(1)
      await signAll(w, plan)
      // The signature made the claim of the unsigned transfer stale.
      expect(await w.sweeps.yieldClaim(first.claim, 0, nothingSent)).toBe(false)
      expect(await w.sweeps.settle(first.claim, 'expired', laterInstant)).toBe('stale')
      const second = await claimOne(w.sweeps)
      expect(second.transfer.status).toBe('signed')
      expect(second.claimCount).toBe(1)
    })

    test('yieldClaim records the attempt; the first sentAt stays', async () => {
      const plan = await newSweepPlan(w)
      await signAll(w, plan)
      const attempts = [
        { sentAt: null, problem: 'TRX_MISSING' },
        { sentAt: someInstant, problem: null },
        { sentAt: laterInstant, problem: 'NODE_REFUSES' },
      ] as const
      for (const attempt of attempts) {
        const { claim } = await claimOne(w.sweeps)
        expect(await w.sweeps.yieldClaim(claim, 50, attempt)).toBe(true)
        const stored = await w.sweeps.find(plan.batch.id)
        const sentAt = attempt.sentAt && someInstant
        expect(stored?.transfers).toMatchObject([{ ...attempt, sentAt }])
        await w.advance(40)
        expect(await claimDue(w)).toEqual([])
        await w.advance(11)
      }
    })

    test.each(['solid', 'failed', 'expired'] as const)(
      '%s is final: neither due, nor settled again; and the address is free',
      async (status) => {
        const plan = await newSweepPlan(w)
        await signAll(w, plan)
        const { claim, transfer } = await claimOne(w.sweeps)
        expect(await w.sweeps.settle(claim, status, laterInstant)).toBe('committed')
        const ended = { ...transfer, status, endedAt: laterInstant }
        expect(await w.sweeps.find(plan.batch.id)).toEqual({ ...plan, transfers: [ended] })
        expect(await w.sweeps.settle(claim, 'solid', laterInstant)).toBe('stale')
        expect(await w.sweeps.yieldClaim(claim, 0, nothingSent)).toBe(false)
        await w.advance(100_000)
        expect(await claimDue(w)).toEqual([])
        const topUps = await w.addresses.match('tron', [transfer.account])
        const next = sweepPlan(w, topUps, new Date(someInstant.getTime() + 1))
        expect(await w.sweeps.insert(next, ada)).toEqual(next.transfers)
      },
    )

    test('a lost claim neither yields nor settles', async () => {
      await signAll(w, await newSweepPlan(w))
      const old = await claimOne(w.sweeps)
      await w.advance(101)
      const mine = await claimOne(w.sweeps)
      expect(await w.sweeps.yieldClaim(old.claim, 0, nothingSent)).toBe(false)
      expect(await w.sweeps.settle(old.claim, 'failed', laterInstant)).toBe('stale')
      expect(await w.sweeps.settle(mine.claim, 'solid', laterInstant)).toBe('committed')
    })

    test('one of two settlements of a claim commits', async () => {
      await signAll(w, await newSweepPlan(w))
      const { claim } = await claimOne(w.sweeps)
      const ends = (['solid', 'expired'] as const).map((status) => w.sweeps.settle(claim, status, laterInstant))
      expect((await Promise.all(ends)).toSorted()).toEqual(['committed', 'stale'])
    })
  })
}

async function claimOne(sweeps: SweepStore): Promise<ClaimedSweep> {
  const [claimed, ...others] = await sweeps.claimDue(10, leaseSeconds)
  if (claimed === undefined || others.length > 0) throw new Error('expected exactly one due sweep')
  return claimed
}

const signAll = ({ sweeps }: SweepWorld, { batch, transfers }: Awaited<ReturnType<typeof newSweepPlan>>) =>
  sweeps.sign(
    batch.id,
    transfers.map(({ id }) => ({ transferId: id, signature: 'ab'.repeat(65) })),
    someOperator,
  )
