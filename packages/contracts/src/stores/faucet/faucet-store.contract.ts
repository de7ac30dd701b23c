import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { claimSendTests } from './claim-send.contract.ts'
import { commitSendTests } from './commit-send.contract.ts'
import { limitSendsTests } from './limit-sends.contract.ts'

/** The contract of a `FaucetStore`. */
export function faucetStoreContract(name: string, open: OpenHarness<'faucet' | 'tenants'>): void {
  describe(`faucet store in ${name}`, () => {
    commitSendTests(open)
    limitSendsTests(open)
    claimSendTests(open)
  })
}
