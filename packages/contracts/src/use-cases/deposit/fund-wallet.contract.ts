import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { depositTransferTests } from './deposit-transfer.contract.ts'
import { limitUnverifiedCreditTests } from './limit-unverified-credit.contract.ts'
import { resolveReviewTests } from './resolve-review.contract.ts'
import { scanChainTests } from './scan-chain.contract.ts'
import { settleDepositTests } from './settle-deposit.contract.ts'
import { topUpAddressTests } from '../top-up-address/top-up-address.contract.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'events' | 'audit' | 'addresses' | 'scans' | 'deposits'

/** Proves funding on a set of stores, from the top-up address to the credit, with a scripted chain. */
export function fundWalletContract(name: string, open: OpenHarness<Needed>): void {
  describe(`funding on ${name}`, () => {
    topUpAddressTests(open)
    depositTransferTests(open)
    scanChainTests(open)
    settleDepositTests(open)
    limitUnverifiedCreditTests(open)
    resolveReviewTests(open)
  })
}
