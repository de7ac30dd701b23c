import { describe } from 'vitest'
import { claimingContract } from './claim-deposit.contract.ts'
import { endingContract } from './settle-deposit.contract.ts'
import { listingContract } from './list-deposits.contract.ts'
import { resolvingContract } from './resolve-review.contract.ts'
import { unverifiedCreditContract } from './limit-unverified-credit.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

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
