import { describe } from 'vitest'
import { claimsContract } from './claim-send.contract.ts'
import { keysContract } from './commit-send.contract.ts'
import { limitsContract } from './limit-sends.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** What every `FaucetStore` must do, as tests. */
export function faucetStoreContract(name: string, open: OpenHarness): void {
  describe(`faucet store in ${name}`, () => {
    keysContract(open)
    limitsContract(open)
    claimsContract(open)
  })
}
