import { describe } from 'vitest'
import { depositTransferTests } from './deposit-transfer.contract.ts'
import { resolveReviewTests } from './resolve-review.contract.ts'
import { scanChainTests } from './scan-chain.contract.ts'
import { settleDepositTests } from './settle-deposit.contract.ts'
import { topUpAddressTests } from './top-up-address.contract.ts'
import { limitUnverifiedCreditTests } from './limit-unverified-credit.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** Proves funding on a set of stores, from the address to the credit, over a chain in the test’s hands. */
export function fundWalletContract(name: string, open: OpenHarness): void {
  describe(`funding on ${name}`, () => {
    topUpAddressTests(open)
    depositTransferTests(open)
    scanChainTests(open)
    settleDepositTests(open)
    limitUnverifiedCreditTests(open)
    resolveReviewTests(open)
  })
}
