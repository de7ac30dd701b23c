import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Assumptions, type OpenSimulatedStores, runDepositScenario } from './run.ts'
import { anyDepositScenario } from './scenario.ts'
import { expectDepositInvariants } from './invariants.ts'
import type { Runs } from '../../fixtures/runs.ts'

/**
 * Plays funding in virtual time over stores: random forks down to the solid block, transactions
 * dropped, reordered and changed, nodes that are down, behind or lie about the head, failing
 * stores, and two workers that scan and settle at once and die at any await.
 */
export function depositSimulationContract(
  name: string,
  open: OpenSimulatedStores,
  { runs = 100 }: Runs = {},
): void {
  const anyEnd = (assumptions?: Assumptions) =>
    fc.asyncProperty(anyDepositScenario, async (scenario) => {
      await expectDepositInvariants(await runDepositScenario(scenario, open, assumptions))
    })

  describe(`funding on ${name}, whatever the chain does`, () => {
    test('credits every eligible solid transfer exactly once and nothing else, and drops what vanished', async () => {
      await fc.assert(anyEnd(), { numRuns: runs })
    })

    test('would be seen to credit what never was, if solid blocks could be taken back', async () => {
      const result = await fc.check(anyEnd({ isSolidFinal: false }), {
        numRuns: 200,
        endOnFailure: true,
      })
      expect(result.failed).toBe(true)
    })

    test('happens again in the same way when a seed is played again', async () => {
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
