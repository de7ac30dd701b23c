import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { depositHarness } from '../../fixtures/deposit/deposit-harness.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'events' | 'audit' | 'addresses' | 'scans' | 'deposits'

export function resolveReviewTests(open: OpenHarness<Needed>): void {
  describe('reviews and reconciliation', () => {
    const w = useWorld(open, 'each')

    /** A deposit in review, below the minimum. */
    async function begin() {
      const harness = await depositHarness(w)
      const { chain, topUp, finalizeAll, deposit } = harness
      chain.mine(chain.pay(topUp.account, 500_000n))
      await finalizeAll()
      return { ...harness, id: (await deposit()).id }
    }

    test('reconciliation balances after every step, and has the last scanned block', async () => {
      const { chain, topUp, head, finalizeAll, credit, id, reconcile, tenantId } = await begin()
      const books = async () => reconcile(tenantId)
      const is = (credited: bigint) => ({
        credited: usdt(credited),
        available: usdt(credited),
        held: usdt(0n),
        balanced: true,
        drift: usdt(0n),
        scannedThrough: { number: chain.solid, id: chain.blocks[chain.solid - 1]?.id },
      })
      expect(await books()).toMatchObject(is(0n))
      await credit('ana', id, 'known sender')
      expect(await books()).toMatchObject(is(500_000n))
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mine()
      await head()
      expect(await books()).toMatchObject(is(500_000n))
      await finalizeAll()
      expect(await books()).toMatchObject(is(5_500_000n))
      expect(await reconcile('ten_00000000000000000000000000')).toBeUndefined()
    })
  })
}
