import { describe, expect, test } from 'vitest'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import { depositBuilders, settleDepositCommit } from '../../fixtures/deposit/deposit-builders.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'addresses' | 'scans' | 'deposits'

/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds = 100

export function claimDepositTests(open: OpenHarness<Needed>): void {
  describe('claims of deposits', () => {
    const w = useWorld(open, 'each')
    const claimDue = ({ deposits }: World<Needed>, limit = 10) => deposits.claimDue(limit, leaseSeconds)

    test('a claim has the deposit, sender, solid block, address and tenant status', async () => {
      const { due, tenantId, topUp } = await depositBuilders(w)
      const from = accountOf('the sender')
      const [deposit] = await due({ block: 100, from })
      const [claimed, ...others] = await claimDue(w)
      expect(others).toEqual([])
      expect(claimed).toEqual({
        claim: { tenantId, depositId: deposit?.id, fencingToken: claimed?.claim.fencingToken },
        deposit,
        sender: from,
        solid: { type: 'confirmed', block: 100 },
        topUp,
        tenantStatus: 'active',
        claimCount: 1,
      })
    })

    test('a claim has the current address and tenant status', async () => {
      const { due, tenantId, topUp } = await depositBuilders(w)
      await due()
      await w.addresses.retire(tenantId, 'tron', someOperator)
      const tenant = await w.tenants.find(tenantId)
      if (tenant === undefined) throw new Error('the tenant was just created')
      await w.tenants.update({ ...tenant, status: 'suspended', revision: 2 }, 'tenant.suspend', someOperator)
      expect(await claimDue(w)).toMatchObject([
        { topUp: { ...topUp, retiredAt: someInstant }, tenantStatus: 'suspended' },
      ])
    })

    test('a deposit that only the head has shown is not due', async () => {
      const { pending } = await depositBuilders(w)
      await pending()
      await w.advance(100_000)
      expect(await claimDue(w)).toEqual([])
    })

    test('a lost claim can neither be yielded nor settle', async () => {
      const { due, claimOne, tenantId } = await depositBuilders(w)
      const [deposit] = await due()
      const old = await claimOne()
      await w.advance(101)
      const mine = await claimOne()
      expect(await w.deposits.yieldClaim(old.claim, 0, 'late')).toBe(false)
      expect(await claimDue(w)).toEqual([])
      expect(await w.deposits.commit(settleDepositCommit(w, old))).toBe('stale')
      expect(await w.deposits.get(tenantId, deposit?.id ?? '')).toEqual(deposit)
      expect(await w.deposits.commit(settleDepositCommit(w, mine))).toBe('committed')
      expect(await w.deposits.attempts(deposit?.id ?? '')).toBeUndefined()
    })

    test('a settled deposit is never due', async () => {
      const { credited, inReview } = await depositBuilders(w)
      await credited()
      await inReview()
      await w.advance(100_000)
      expect(await claimDue(w)).toEqual([])
    })
  })
}
