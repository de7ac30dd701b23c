import { describe } from 'vitest'
import { claimSendTests } from './claim-send.contract.ts'
import { commitSendTests } from './commit-send.contract.ts'
import { limitSendsTests } from './limit-sends.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** What every `FaucetStore` must do, as tests. */
export function faucetStoreContract(name: string, open: OpenHarness): void {
  describe(`faucet store in ${name}`, () => {
    commitSendTests(open)
    limitSendsTests(open)
    claimSendTests(open)
  })
}
