import { describe, expect, test } from 'vitest'
import type { ClaimedScan } from '@quipu/core'
import { scanner, newObservedTransfer } from '../../fixtures/deposit/observed-transfers.ts'
import { newTopUp } from '../../fixtures/deposit/addresses.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'addresses' | 'scans' | 'deposits'

/** Leases are 100 s and steps are tens of seconds, so that a clock that also runs by itself is no matter. */
const leaseSeconds = 100

export function claimScanTests(open: OpenHarness<Needed>): void {
  describe('the lease on a scan', () => {
    const world = useWorld(open, 'each')

    const claim = async ({ scans }: World<Needed>): Promise<ClaimedScan> => {
      const claimed = await scans.claim('tron', 'solid', leaseSeconds)
      if (claimed === undefined) throw new Error('somebody holds the scan')
      return claimed
    }

    test('a scan that never began is claimed at no block', async () => {
      const w = world()
      expect(await w.scans.at('tron', 'solid')).toBeUndefined()
      expect(await claim(w)).toMatchObject({
        claim: { chain: 'tron', view: 'solid' },
        at: undefined,
      })
      expect(await w.scans.at('tron', 'solid')).toBeUndefined()
    })

    test('nobody else can claim it while the lease lives, but the other view', async () => {
      const w = world()
      await claim(w)
      await w.advance(90)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeUndefined()
      expect(await w.scans.claim('tron', 'head', leaseSeconds)).toBeDefined()
    })

    test('when the lease ends another claims it, with a higher fencing token', async () => {
      const w = world()
      const first = await claim(w)
      await w.advance(101)
      expect((await claim(w)).claim.fencingToken).toBeGreaterThan(first.claim.fencingToken)
    })

    test('a renewed lease lives on from now', async () => {
      const w = world()
      const { claim: mine } = await claim(w)
      await w.advance(90)
      expect(await w.scans.renew(mine, leaseSeconds)).toBe(true)
      await w.advance(90)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeUndefined()
      await w.advance(11)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeDefined()
    })

    test('a scan that is given back can be claimed at once, with a higher fencing token', async () => {
      const w = world()
      const first = await claim(w)
      await w.scans.yieldClaim(first.claim)
      expect((await claim(w)).claim.fencingToken).toBeGreaterThan(first.claim.fencingToken)
    })

    test('whoever lost it can neither renew it nor give it back for its new holder', async () => {
      const w = world()
      const { claim: old } = await claim(w)
      await w.advance(101)
      await claim(w)
      expect(await w.scans.renew(old, 1_000)).toBe(false)
      await w.scans.yieldClaim(old)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeUndefined()
    })

    test('of 12 that come at once exactly one gets it', async () => {
      const w = world()
      for (let round = 0; round < 3; round++) {
        const claims = await Promise.all(
          Array.from({ length: 12 }, () => w.scans.claim('tron', 'head', leaseSeconds)),
        )
        const [got, ...others] = claims.filter((each) => each !== undefined)
        expect(others).toEqual([])
        if (got) await w.scans.yieldClaim(got.claim)
      }
    })

    test('whoever lost it can write nothing, however right the write is', async () => {
      const w = world()
      const topUp = await newTopUp(w, (await w.newTenant()).id)
      for (const view of ['head', 'solid'] as const) {
        const old = await scanner(w, view)
        await old.scan()
        await w.advance(1_000_001)
        await scanner(w, view)
        const write = old.nextAdvance({ observedTransfers: [newObservedTransfer(w, topUp)] })
        expect(await w.scans.advance(old.claim, write)).toEqual({ type: 'stale' })
        expect(await w.scans.at('tron', view)).toEqual(write.from)
      }
      expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([])
    })
  })
}
