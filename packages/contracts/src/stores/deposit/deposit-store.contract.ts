import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'
import { claimDepositTests } from './claim-deposit.contract.ts'
import { limitUnverifiedCreditStoreTests } from './limit-unverified-credit.contract.ts'
import { listDepositsTests } from './list-deposits.contract.ts'
import { resolveReviewStoreTests } from './resolve-review.contract.ts'
import { settleDepositStoreTests } from './settle-deposit.contract.ts'

type Needed = 'deposits' | 'scans' | 'addresses' | 'tenants' | 'wallets' | 'proposals' | 'events' | 'audit'

/** The contract of a `DepositStore`. `scanStoreContract` proves how deposits are inserted. */
export function depositStoreContract(name: string, open: OpenHarness<Needed>, { runs = 25 }: Runs = {}): void {
  describe(`deposit store in ${name}`, () => {
    claimDepositTests(open)
    settleDepositStoreTests(open, runs)
    limitUnverifiedCreditStoreTests(open)
    resolveReviewStoreTests(open)
    listDepositsTests(open)
  })
}
