import { describe } from 'vitest'
import { dyingContract } from './faucet/dying-contract.ts'
import { finishingContract } from './faucet/finishing-contract.ts'
import { replayingContract } from './faucet/replaying-contract.ts'
import { requestingContract } from './faucet/requesting-contract.ts'
import type { OpenHarness } from './harness.ts'

/** Proves the faucet on a set of stores, over a chain in the test’s hands: one transfer for one key. */
export function faucetContract(name: string, open: OpenHarness): void {
  describe(`faucet on ${name}`, () => {
    requestingContract(open)
    replayingContract(open)
    finishingContract(open)
    dyingContract(open)
  })
}
