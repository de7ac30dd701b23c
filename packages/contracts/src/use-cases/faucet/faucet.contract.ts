import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { crashInFaucetTests } from './crash-in-faucet.contract.ts'
import { settleFaucetSendTests } from './settle-faucet-send.contract.ts'
import { replayFaucetRequestTests } from './replay-faucet-request.contract.ts'
import { requestFaucetTests } from './request-faucet.contract.ts'

type Needed = 'faucet' | 'tenants' | 'addresses' | 'wallets' | 'proposals'

/** Proves the faucet on a set of stores, with a scripted chain: each key makes at most one transfer. */
export function faucetContract(name: string, open: OpenHarness<Needed>): void {
  describe(`faucet on ${name}`, () => {
    requestFaucetTests(open)
    replayFaucetRequestTests(open)
    settleFaucetSendTests(open)
    crashInFaucetTests(open)
  })
}
