import { describe, expect, test } from 'vitest'
import type { ClaimedSend } from '@quipu/core/adapter'
import { claimOne, settledSend, newSend, plainSend } from '../../fixtures/faucet/sends.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'faucet'

/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds = 100

export function claimSendTests(open: OpenHarness<Needed>): void {
  describe('claims of sends', () => {
    const w = useWorld(open, 'each')
    const newTenantId = async (w: World<Needed>) => (await w.newTenant()).id
    const claimDue = ({ faucet }: World<Needed>, limit = 10) => faucet.claimDue(limit, leaseSeconds)
    const idsOf = (rows: readonly ClaimedSend[]) => rows.map(({ send }) => send.id)

    test('a new send is leased to its writer, and after that due as committed', async () => {
      const send = await newSend(w, await newTenantId(w), { leaseSeconds: 100 })
      await w.advance(50)
      expect(await claimDue(w)).toEqual([])
      await w.advance(51)
      const [claimed, ...others] = await claimDue(w)
      expect(others).toEqual([])
      expect(plainSend(claimed?.send)).toEqual(plainSend(send))
      expect(claimed).toMatchObject({ claim: { tenantId: send.tenantId, sendId: send.id }, claimCount: 1 })
    })

    test('a lost claim can neither be yielded nor settle', async () => {
      const tenantId = await newTenantId(w)
      const { key } = await newSend(w, tenantId, { leaseSeconds: 0 })
      const old = await claimOne(w.faucet)
      await w.advance(101)
      const mine = await claimOne(w.faucet)
      expect(await w.faucet.yieldClaim(old.claim, 0)).toBe(false)
      expect(await claimDue(w)).toEqual([])
      expect(await w.faucet.settle(old.claim, 'failed')).toBe('stale')
      expect(await w.faucet.find(tenantId, key)).toMatchObject({ status: 'submitted' })
      expect(await w.faucet.settle(mine.claim, 'confirmed')).toBe('committed')
      expect(await w.faucet.find(tenantId, key)).toMatchObject({ status: 'confirmed' })
    })

    test('a claim with another tenant’s id neither yields nor settles', async () => {
      const tenantId = await newTenantId(w)
      const { key } = await newSend(w, tenantId, { leaseSeconds: 0 })
      const { claim } = await claimOne(w.faucet)
      const stolen = { ...claim, tenantId: await newTenantId(w) }
      expect(await w.faucet.yieldClaim(stolen, 0)).toBe(false)
      expect(await w.faucet.settle(stolen, 'failed')).toBe('stale')
      expect(await w.faucet.find(tenantId, key)).toMatchObject({ status: 'submitted' })
    })

    test('only one of two concurrent settlements commits', async () => {
      await newSend(w, await newTenantId(w), { leaseSeconds: 0 })
      const { claim } = await claimOne(w.faucet)
      const ends = (['confirmed', 'failed'] as const).map((end) => w.faucet.settle(claim, end))
      expect((await Promise.all(ends)).toSorted()).toEqual(['committed', 'stale'])
    })

    test.each(['confirmed', 'failed'] as const)(
      'a send that is %s is never due, cannot be settled again, and is otherwise unchanged',
      async (status) => {
        const tenantId = await newTenantId(w)
        const send = await newSend(w, tenantId, { leaseSeconds: 0 })
        const { claim } = await claimOne(w.faucet)
        expect(await w.faucet.settle(claim, status)).toBe('committed')
        expect(await w.faucet.settle(claim, 'confirmed')).toBe('stale')
        expect(await w.faucet.settle(claim, 'failed')).toBe('stale')
        expect(await w.faucet.yieldClaim(claim, 0)).toBe(false)
        await w.advance(100_000)
        expect(await claimDue(w)).toEqual([])
        expect(plainSend(await w.faucet.find(tenantId, send.key))).toEqual(plainSend({ ...send, status }))
      },
    )

    test('settling one send does not change another', async () => {
      const tenantId = await newTenantId(w)
      await settledSend(w, tenantId, 'failed')
      const { id } = await newSend(w, tenantId, { leaseSeconds: 0 })
      expect(idsOf(await claimDue(w))).toEqual([id])
    })
  })
}
