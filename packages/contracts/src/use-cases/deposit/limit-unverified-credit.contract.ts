import { describe, expect, test } from 'vitest'
import { defaultDepositRules } from '@quipu/core'
import { type DepositStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { depositHarness } from '../../fixtures/deposit/deposit-harness.ts'

const { verifyFrom, unverifiedLimits } = defaultDepositRules
/** One micro-USDT too small to need the second provider. */
const small = verifyFrom.minor - 1n
/** How many small deposits fit into a tenant's limit of unverified credits, by the default rules. */
const allowed = 2

export function limitUnverifiedCreditTests(open: OpenHarness<DepositStores>): void {
  describe('unverified credits', () => {
    const w = useWorld(open, 'each')

    async function harnessWith(count: number) {
      const harness = await depositHarness(w)
      harness.chain.mine() // The first scan begins at the newest block.
      harness.chain.solidify()
      await harness.solid()
      for (let n = 0; n < count; n++) harness.chain.mine(harness.chain.pay(harness.topUp.account, small))
      harness.chain.solidify()
      while ((await harness.solid()).state === 'more');
      return harness
    }
    const statuses = (deposits: readonly { readonly status: string }[]) =>
      deposits.map(({ status }) => status).toSorted()

    test('above the limit a deposit is credited when the second provider confirms it', async () => {
      const { settle, verifier, available } = await harnessWith(allowed + 3)
      const verifierCalls: unknown[] = []
      verifier.onCall = (method) => void verifierCalls.push(method)
      expect(statuses(await settle())).toEqual(Array.from({ length: allowed + 3 }, () => 'credited'))
      expect(verifierCalls).toEqual(['block', 'block', 'block'])
      expect(await available()).toBe(small * BigInt(allowed + 3))
    })

    test('a large deposit without a second provider counts towards the limit', async () => {
      const { chain, topUp, solid, settleWithOneProvider } = await harnessWith(0)
      for (const over of [0n, 1n]) chain.mine(chain.pay(topUp.account, unverifiedLimits.perTenant.minor + over))
      chain.solidify()
      await solid()
      expect(statuses(await settleWithOneProvider())).toEqual(['credited', 'in_review'])
    })
  })
}
