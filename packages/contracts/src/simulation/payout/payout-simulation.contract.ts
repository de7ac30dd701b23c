import type { PayoutStore } from '@quipu/core/adapter'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Runs } from '../../fixtures/runs.ts'
import { runScenario } from './run.ts'
import type { OpenSimulatedWorld } from './simulated-world.ts'
import { anyScenario, type Scenario } from './scenario.ts'
import { expectInvariants } from './invariants.ts'

/**
 * Simulates payouts in virtual time over stores and a network, in random scenarios: equal and conflicting
 * requests, slow and lost messages, failing stores, machines that crash at any await, and clock skew.
 */
export function payoutSimulationContract(name: string, open: OpenSimulatedWorld, { runs = 150 }: Runs = {}): void {
  const anyEnd = (open: OpenSimulatedWorld) =>
    fc.asyncProperty(anyScenario, async (scenario) => {
      await expectInvariants(await runScenario(scenario, open))
    })

  describe(`payout simulation on ${name}`, () => {
    test('settles every payout by the network’s record, pays once and conserves money', async () => {
      await fc.assert(anyEnd(open), { numRuns: runs })
    })

    test('detects lost money when the network’s cancel does not hold', async () => {
      const leaky: OpenSimulatedWorld = (now) => {
        const world = open(now)
        const cancel = async () => ({ type: 'cancelled' }) as const
        return { ...world, network: { ...world.network, cancel } }
      }
      const result = await fc.check(anyEnd(leaky), { numRuns: 1_000, endOnFailure: true })
      expect(result.failed).toBe(true)
    })

    test.each<[string, (payouts: PayoutStore) => PayoutStore['markOrdered']]>([
      ['without their mark', (payouts) => payouts.renew],
      [
        'although another claim is newer',
        (payouts) => async (claim, leaseSeconds) => {
          await payouts.markOrdered(claim, leaseSeconds)
          return true
        },
      ],
    ])('detects lost money when orders leave %s', async (_, marking) => {
      const leaky: OpenSimulatedWorld = (now) => {
        const { stores, ...world } = open(now)
        const payouts = { ...stores.payouts, markOrdered: marking(stores.payouts) }
        return { ...world, stores: { ...stores, payouts } }
      }
      // A claim between acceptance and mark is rare: this seed meets one.
      const result = await fc.check(anyEnd(leaky), { numRuns: 1_000, endOnFailure: true, seed: 1 })
      expect(result.failed).toBe(true)
    })

    test('gives the same result for the same seed', async () => {
      const payoutsOf = async (scenario: Scenario) => {
        const { world, tenant } = await runScenario(scenario, open)
        return world.stores.payouts.list(tenant.id, { limit: 100 })
      }
      await fc.assert(
        fc.asyncProperty(anyScenario, async (scenario) => {
          expect(await payoutsOf(scenario)).toEqual(await payoutsOf(scenario))
        }),
        { numRuns: 5 },
      )
    })
  })
}
