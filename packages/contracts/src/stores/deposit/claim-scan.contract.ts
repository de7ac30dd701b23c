import { describe, expect, test } from 'vitest'
import type { ClaimedScan } from '@quipu/core/adapter'
import { scanner, newObservedTransfer } from '../../fixtures/deposit/observed-transfers.ts'
import { newTopUp } from '../../fixtures/deposit/addresses.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'addresses' | 'scans' | 'deposits'

/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds = 100

export function claimScanTests(open: OpenHarness<Needed>): void {
  describe('the lease on a scan', () => {
    const w = useWorld(open, 'each')

    const claim = async ({ scans }: World<Needed>): Promise<ClaimedScan> => {
      const claimed = await scans.claim('tron', 'solid', leaseSeconds)
      if (claimed === undefined) throw new Error('another worker has leased the scan')
      return claimed
    }

    test('a new scan is claimed without a position', async () => {
      expect(await w.scans.at('tron', 'solid')).toBeUndefined()
      expect(await claim(w)).toMatchObject({ claim: { chain: 'tron', view: 'solid' }, at: undefined })
      expect(await w.scans.at('tron', 'solid')).toBeUndefined()
    })

    test('a leased scan cannot be claimed; the other view can', async () => {
      await claim(w)
      await w.advance(90)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeUndefined()
      expect(await w.scans.claim('tron', 'head', leaseSeconds)).toBeDefined()
    })

    test('after the lease another worker claims it, with a higher fencing token', async () => {
      const first = await claim(w)
      await w.advance(101)
      expect((await claim(w)).claim.fencingToken).toBeGreaterThan(first.claim.fencingToken)
    })

    test('renew extends the lease from now', async () => {
      const { claim: mine } = await claim(w)
      await w.advance(90)
      expect(await w.scans.renew(mine, leaseSeconds)).toBe(true)
      await w.advance(90)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeUndefined()
      await w.advance(11)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeDefined()
    })

    test('a yielded scan can be claimed at once, with a higher fencing token', async () => {
      const first = await claim(w)
      await w.scans.yieldClaim(first.claim)
      expect((await claim(w)).claim.fencingToken).toBeGreaterThan(first.claim.fencingToken)
    })

    test('a lost claim can neither be renewed nor yield the scan of its new holder', async () => {
      const { claim: old } = await claim(w)
      await w.advance(101)
      await claim(w)
      expect(await w.scans.renew(old, 1_000)).toBe(false)
      await w.scans.yieldClaim(old)
      expect(await w.scans.claim('tron', 'solid', leaseSeconds)).toBeUndefined()
    })

    test('exactly one of 12 concurrent claims succeeds', async () => {
      for (let round = 0; round < 3; round++) {
        const claims = await Promise.all(Array.from({ length: 12 }, () => w.scans.claim('tron', 'head', leaseSeconds)))
        const [got, ...others] = claims.filter((each) => each !== undefined)
        expect(others).toEqual([])
        if (got) await w.scans.yieldClaim(got.claim)
      }
    })

    test('a lost claim writes nothing', async () => {
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
