import { describe } from 'vitest'
import { claimingContract } from './deposit-store/claiming.ts'
import { endingContract } from './deposit-store/ending.ts'
import { listingContract } from './deposit-store/listing.ts'
import { resolvingContract } from './deposit-store/resolving.ts'
import { unverifiedCreditContract } from './deposit-store/unverified.ts'
import type { OpenHarness } from './harness.ts'
import type { Runs } from './runs.ts'

/** What every `DepositStore` must do, as tests. How deposits come in is in `scanStoreContract`. */
export function depositStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 25 }: Runs = {},
): void {
  describe(`deposit store in ${name}`, () => {
    claimingContract(open)
    endingContract(open, runs)
    unverifiedCreditContract(open)
    resolvingContract(open)
    listingContract(open)
  })
}
