import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Assumptions, type OpenSimulatedStores, runDepositScenario } from './run.ts'
import { anyDepositScenario } from './scenario.ts'
import { expectDepositInvariants } from './invariants.ts'
import type { Runs } from '../../fixtures/runs.ts'

/**
 * Simulates funding in virtual time over stores, in random scenarios: forks down to the solid block;
 * transactions dropped, reordered and changed; nodes that are down, stale or forge head blocks; failing stores;
 * and two concurrent workers that crash at any await.
 */
export function depositSimulationContract(name: string, open: OpenSimulatedStores, { runs = 100 }: Runs = {}): void {
  const anyEnd = (assumptions?: Assumptions) =>
    fc.asyncProperty(anyDepositScenario, async (scenario) => {
      await expectDepositInvariants(await runDepositScenario(scenario, open, assumptions))
    })

  describe(`deposit simulation on ${name}`, () => {
    test('credits exactly the eligible solid transfers, each once, and drops those that vanished', async () => {
      await fc.assert(anyEnd(), { numRuns: runs })
    })

    test('detects wrong credits when solid blocks are not final', async () => {
      const result = await fc.check(anyEnd({ isSolidFinal: false }), { numRuns: 200, endOnFailure: true })
      expect(result.failed).toBe(true)
    })

    test('gives the same result for the same seed', async () => {
      const endOf = async (scenario: Parameters<typeof runDepositScenario>[0]) => {
        const { stores } = await runDepositScenario(scenario, open)
        return (await stores.deposits.listAll({ limit: 1_000 })).items
      }
      await fc.assert(
        fc.asyncProperty(anyDepositScenario, async (scenario) => {
          expect(await endOf(scenario)).toEqual(await endOf(scenario))
        }),
        { numRuns: 5 },
      )
    })
  })
}
