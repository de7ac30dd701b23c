import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyResolution } from '../../fixtures/payout/payout-arbitraries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

/** The contract of a `ResolutionStore`. */
export function resolutionStoreContract(
  name: string,
  open: OpenHarness<'resolutions' | 'tenants'>,
  { runs = 50 }: Runs = {},
): void {
  describe(`resolution store in ${name}`, () => {
    const w = useWorld(open)

    test('reads back every resolution as inserted', async () => {
      const { id: tenantId } = await w.newTenant()
      await fc.assert(
        fc.asyncProperty(anyResolution(tenantId), async (resolution) => {
          expect(await w.resolutions.insert(resolution, null)).toBe('committed')
          expect(await w.resolutions.find(tenantId, resolution.id)).toEqual(resolution)
        }),
        { numRuns: runs },
      )
    })

    test('finds neither another tenant’s resolution nor an unknown one', async () => {
      const [{ id: owner }, { id: otherTenant }] = [await w.newTenant(), await w.newTenant()]
      const { id } = await w.newResolution(owner)
      expect(await w.resolutions.find(otherTenant, id)).toBeUndefined()
      expect(await w.resolutions.find(owner, w.ids.next('qrr', someInstant))).toBeUndefined()
    })
  })
}
