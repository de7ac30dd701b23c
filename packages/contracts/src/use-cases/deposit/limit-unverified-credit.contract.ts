import { describe, expect, test } from 'vitest'
import { defaultDepositRules, Unavailable } from '@quipu/core'
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
    const credited = (count: number) => Array.from({ length: count }, () => 'credited')

    test('above the limit a deposit is credited when the second provider confirms it', async () => {
      const { settle, verifier, available } = await harnessWith(allowed + 3)
      const verifierCalls: unknown[] = []
      verifier.onCall = (method) => void verifierCalls.push(method)
      expect(statuses(await settle())).toEqual(credited(allowed + 3))
      expect(verifierCalls).toEqual(['block', 'block', 'block'])
      expect(await available()).toBe(small * BigInt(allowed + 3))
    })

    test('above the limit a deposit that the second provider does not show is not credited', async () => {
      const { settle, verifier, available, alerts } = await harnessWith(allowed + 1)
      verifier.showBlock = (_, block) => ({ ...block, transfers: [] })
      expect(statuses(await settle())).toEqual([...credited(allowed), 'pending'])
      for (let round = 0; round < 2; round++) {
        await w.advance(301)
        await settle()
      }
      expect(await available()).toBe(small * BigInt(allowed))
      expect(alerts).toMatchObject([{ code: 'SOURCES_DISAGREE' }])
    })

    test('above the limit a deposit waits while the second provider does not answer', async () => {
      const { settle, verifier } = await harnessWith(allowed + 1)
      verifier.onCall = () => {
        throw new Unavailable('chain', 'connection refused')
      }
      expect(statuses(await settle())).toEqual([...credited(allowed), 'pending'])
      verifier.onCall = () => undefined
      await w.advance(6)
      expect(await settle()).toMatchObject([{ status: 'credited' }])
    })

    test('above the limit a deposit is put in review without a second provider', async () => {
      const { settleWithOneProvider, available } = await harnessWith(allowed + 1)
      const settled = await settleWithOneProvider()
      expect(statuses(settled)).toEqual([...credited(allowed), 'in_review'])
      expect(settled.find(({ status }) => status === 'in_review')).toMatchObject({
        reviewCode: 'AMOUNT_ABOVE_AUTO_LIMIT',
      })
      expect(await available()).toBe(small * BigInt(allowed))
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
