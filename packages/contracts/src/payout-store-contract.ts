import { describe } from 'vitest'
import type { OpenHarness } from './harness.ts'
import { applyingContract } from './payout-store/applying.ts'
import { endingContract } from './payout-store/ending.ts'
import { leasesContract } from './payout-store/leases.ts'
import { listingContract } from './payout-store/listing.ts'
import { racingContract } from './payout-store/racing.ts'
import { readingContract } from './payout-store/reading.ts'
import type { Runs } from './runs.ts'

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
