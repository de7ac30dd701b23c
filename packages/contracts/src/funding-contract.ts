import { describe } from 'vitest'
import { chainContract } from './funding/chain-contract.ts'
import { resolvingContract } from './funding/resolving-contract.ts'
import { scanningContract } from './funding/scanning-contract.ts'
import { settlingContract } from './funding/settling-contract.ts'
import { topUpContract } from './funding/top-up-contract.ts'
import { unverifiedContract } from './funding/unverified-contract.ts'
import type { OpenHarness } from './harness.ts'

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
