import { describe } from 'vitest'
import { claimsContract } from './faucet-store/claims.ts'
import { keysContract } from './faucet-store/keys.ts'
import { limitsContract } from './faucet-store/limits.ts'
import type { OpenHarness } from './harness.ts'

/** What every `FaucetStore` must do, as tests. */
export function faucetStoreContract(name: string, open: OpenHarness): void {
  describe(`faucet store in ${name}`, () => {
    keysContract(open)
    limitsContract(open)
    claimsContract(open)
  })
}
