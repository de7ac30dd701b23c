import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { applyingContract } from './apply-payout.contract.ts'
import { endingContract } from './settle-payout.contract.ts'
import { leasesContract } from './claim-payout.contract.ts'
import { listingContract } from './list-payouts.contract.ts'
import { racingContract } from './concurrent-payouts.contract.ts'
import { readingContract } from './find-payout.contract.ts'
import type { Runs } from '../../fixtures/runs.ts'

/** What every `PayoutStore` must do, as tests. */
export function payoutStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 50 }: Runs = {},
): void {
  describe(`payout store in ${name}`, () => {
    applyingContract(open)
    endingContract(open)
    leasesContract(open)
    readingContract(open, runs)
    listingContract(open)
    racingContract(open, runs)
  })
}
