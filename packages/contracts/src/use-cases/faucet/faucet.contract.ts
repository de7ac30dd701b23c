import { describe } from 'vitest'
import { dyingContract } from './crash-in-faucet.contract.ts'
import { finishingContract } from './finish-faucet-send.contract.ts'
import { replayingContract } from './replay-faucet-request.contract.ts'
import { requestingContract } from './request-faucet.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** Proves the faucet on a set of stores, over a chain in the test’s hands: one transfer for one key. */
export function faucetContract(name: string, open: OpenHarness): void {
  describe(`faucet on ${name}`, () => {
    requestingContract(open)
    replayingContract(open)
    finishingContract(open)
    dyingContract(open)
  })
}
