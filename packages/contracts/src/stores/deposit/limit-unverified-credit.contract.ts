import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import type { UnverifiedLimits } from '@quipu/core/adapter'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { eventTypesOf } from '../../fixtures/events-about.ts'
import {
  buildersOfAnotherTenant,
  depositBuilders,
  settleDepositCommit,
} from '../../fixtures/deposit/deposit-builders.ts'
import { type DepositStores, type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

const limits = (perTenant: bigint, inAll: bigint): UnverifiedLimits => ({
  perTenant: usdt(perTenant),
  inAll: usdt(inAll),
})
const daySeconds = 86_400

export function limitUnverifiedCreditStoreTests(open: OpenHarness<DepositStores>): void {
  describe('unverified credits', () => {
    const w = useWorld(open, 'each')

    /** Settles the due deposits one after another, each within these limits. */
    async function endAll(w: World<DepositStores>, unverifiedLimits: UnverifiedLimits) {
      const results: unknown[] = []
      for (const claimed of await w.deposits.claimDue(100, 100))
        results.push(await w.deposits.commit({ ...settleDepositCommit(w, claimed), unverifiedLimits }))
      return results
    }

    test('reach but never exceed the tenant’s limit; above it nothing is written', async () => {
      const { due, tenantId, claimOne } = await depositBuilders(w)
      await due({ value: 6_000_000n }, { value: 4_000_000n })
      const bound = limits(10_000_000n, 100_000_000n)
      expect(await endAll(w, bound)).toEqual(['committed', 'committed'])
      const [last] = await due({ value: 1_000_000n })
      const claimed = await claimOne()
      const write = settleDepositCommit(w, claimed)
      expect(await w.deposits.commit({ ...write, unverifiedLimits: bound })).toBe('above_unverified_limit')
      expect(await w.deposits.find(claimed.deposit.id)).toEqual(last)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 10_000_000n, held: 0n })
      expect(await eventTypesOf(w, tenantId, claimed.deposit.id)).toEqual(['deposit.pending'])
      // The same claim commits once a second provider has verified it.
      expect(await w.deposits.commit(write)).toBe('committed')
      expect(await balanceOf(w, tenantId)).toEqual({ available: 11_000_000n, held: 0n })
    })

    test('have these limits from the first on', async () => {
      const { due, claimOne } = await depositBuilders(w)
      await due({ value: 6_000_000n })
      const write = settleDepositCommit(w, await claimOne())
      for (const bound of [limits(5_999_999n, 6_000_000n), limits(6_000_000n, 5_999_999n)])
        expect(await w.deposits.commit({ ...write, unverifiedLimits: bound })).toBe('above_unverified_limit')
    })

    test('of all tenants have a common limit, which verified credits do not count towards', async () => {
      const one = await depositBuilders(w)
      const other = await buildersOfAnotherTenant(w, one)
      await one.due({ value: 50_000_000n })
      expect(await w.deposits.commit(settleDepositCommit(w, await one.claimOne()))).toBe('committed')
      await one.due({ value: 6_000_000n })
      const bound = limits(10_000_000n, 10_000_000n)
      expect(await endAll(w, bound)).toEqual(['committed'])
      await other.due({ value: 4_000_001n })
      expect(await endAll(w, bound)).toEqual(['above_unverified_limit'])
      await other.due({ value: 4_000_000n })
      expect(await endAll(w, bound)).toEqual(['committed'])
    })

    test('count towards the limits for 24 hours', async () => {
      const { due } = await depositBuilders(w)
      const bound = limits(5_000_000n, 5_000_000n)
      await due({ value: 5_000_000n })
      expect(await endAll(w, bound)).toEqual(['committed'])
      await w.advance(daySeconds - 1_000)
      await due({ value: 1_000_000n })
      expect(await endAll(w, bound)).toEqual(['above_unverified_limit'])
      await w.advance(1_000)
      expect(await endAll(w, bound)).toEqual(['committed'])
    })

    test('of concurrent tenants stay within the common limit', async () => {
      const first = await depositBuilders(w)
      const tenants = [first]
      for (let n = 0; n < 5; n++) tenants.push(await buildersOfAnotherTenant(w, first))
      for (const { due } of tenants) await due({ value: 2_000_000n }, { value: 2_000_000n })
      const unverifiedLimits = limits(4_000_000n, 10_000_000n)
      const results = await Promise.all(
        (await w.deposits.claimDue(100, 100)).map((claimed) =>
          w.deposits.commit({ ...settleDepositCommit(w, claimed), unverifiedLimits }),
        ),
      )
      expect(results.toSorted()).toEqual([
        ...Array.from({ length: 7 }, () => 'above_unverified_limit'),
        ...Array.from({ length: 5 }, () => 'committed'),
      ])
    })

    test('are limited; reviews are not', async () => {
      const { due, claimOne } = await depositBuilders(w)
      await due({ value: 2_000_000n })
      const write = settleDepositCommit(w, await claimOne(), { isAboveUnverifiedLimit: true })
      expect(write.step.deposit).toMatchObject({ reviewCode: 'AMOUNT_ABOVE_AUTO_LIMIT' })
      expect(await w.deposits.commit({ ...write, unverifiedLimits: limits(1n, 1n) })).toBe('committed')
    })
  })
}
