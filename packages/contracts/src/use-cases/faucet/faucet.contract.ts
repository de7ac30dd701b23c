import { describe } from 'vitest'
import { crashInFaucetTests } from './crash-in-faucet.contract.ts'
import { finishFaucetSendTests } from './finish-faucet-send.contract.ts'
import { replayFaucetRequestTests } from './replay-faucet-request.contract.ts'
import { requestFaucetTests } from './request-faucet.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** Proves the faucet on a set of stores, over a chain in the test’s hands: one transfer for one key. */
export function faucetContract(name: string, open: OpenHarness): void {
  describe(`faucet on ${name}`, () => {
    requestFaucetTests(open)
    replayFaucetRequestTests(open)
    finishFaucetSendTests(open)
    crashInFaucetTests(open)
  })
}
