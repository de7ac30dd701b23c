import { describe } from 'vitest'
import { claimDepositTests } from './claim-deposit.contract.ts'
import { settleDepositTests } from './settle-deposit.contract.ts'
import { listDepositsTests } from './list-deposits.contract.ts'
import { resolveReviewTests } from './resolve-review.contract.ts'
import { limitUnverifiedCreditTests } from './limit-unverified-credit.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

/** What every `DepositStore` must do, as tests. How deposits come in is in `scanStoreContract`. */
export function depositStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 25 }: Runs = {},
): void {
  describe(`deposit store in ${name}`, () => {
    claimDepositTests(open)
    settleDepositTests(open, runs)
    limitUnverifiedCreditTests(open)
    resolveReviewTests(open)
    listDepositsTests(open)
  })
}
