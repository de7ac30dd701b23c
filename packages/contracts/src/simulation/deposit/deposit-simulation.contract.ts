import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Faith, type OpenSimulatedStores, playFunding } from './run.ts'
import { anyFundingStory } from './scenario.ts'
import { expectFunded } from './invariants.ts'
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
  const anyEnd = (faith?: Faith) =>
    fc.asyncProperty(anyFundingStory, async (story) => {
      await expectFunded(await playFunding(story, open, faith))
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
      const endOf = async (story: Parameters<typeof playFunding>[0]) => {
        const { stores } = await playFunding(story, open)
        return (await stores.deposits.listAll({ limit: 1_000 })).items
      }
      await fc.assert(
        fc.asyncProperty(anyFundingStory, async (story) => {
          expect(await endOf(story)).toEqual(await endOf(story))
        }),
        { numRuns: 5 },
      )
    })
  })
}
