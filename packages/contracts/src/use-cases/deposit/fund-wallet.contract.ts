import { describe } from 'vitest'
import { chainContract } from './deposit-transfer.contract.ts'
import { resolvingContract } from './resolve-review.contract.ts'
import { scanningContract } from './scan-chain.contract.ts'
import { settlingContract } from './settle-deposit.contract.ts'
import { topUpContract } from './top-up-address.contract.ts'
import { unverifiedContract } from './limit-unverified-credit.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** Proves funding on a set of stores, from the address to the credit, over a chain in the test’s hands. */
export function fundingContract(name: string, open: OpenHarness): void {
  describe(`funding on ${name}`, () => {
    topUpContract(open)
    chainContract(open)
    scanningContract(open)
    settlingContract(open)
    unverifiedContract(open)
    resolvingContract(open)
  })
}
