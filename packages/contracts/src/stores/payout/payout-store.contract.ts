import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { applyPayoutTests } from './apply-payout.contract.ts'
import { settlePayoutTests } from './settle-payout.contract.ts'
import { claimPayoutTests } from './claim-payout.contract.ts'
import { listPayoutsTests } from './list-payouts.contract.ts'
import { concurrentPayoutsTests } from './concurrent-payouts.contract.ts'
import { findPayoutTests } from './find-payout.contract.ts'
import type { Runs } from '../../fixtures/runs.ts'

/** What every `PayoutStore` must do, as tests. */
export function payoutStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 50 }: Runs = {},
): void {
  describe(`payout store in ${name}`, () => {
    applyPayoutTests(open)
    settlePayoutTests(open)
    claimPayoutTests(open)
    findPayoutTests(open, runs)
    listPayoutsTests(open)
    concurrentPayoutsTests(open, runs)
  })
}
