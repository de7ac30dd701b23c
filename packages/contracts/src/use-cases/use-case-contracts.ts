import { deadlineContract } from './payout/payout-deadline.contract.ts'
import { deliveringContract } from './webhook/deliver-events.contract.ts'
import { faucetContract } from './faucet/faucet.contract.ts'
import { fundingContract } from './deposit/fund-wallet.contract.ts'
import type { OpenHarness } from '../fixtures/harness.ts'
import { managingContract } from './tenant/manage-tenants.contract.ts'
import { networkOutageContract } from './payout/network-outage.contract.ts'
import { payingContract } from './payout/create-payout.contract.ts'
import { payoutAlertsContract } from './payout/payout-alerts.contract.ts'
import { quotingContract } from './quote/create-quote.contract.ts'
import { readingContract } from './payout/reuse-resolution.contract.ts'
import { repeatingContract } from './payout/replay-payout.contract.ts'
import { resumingContract } from './payout/resume-payout.contract.ts'

/** Proves the use cases on a set of stores, with the interleavings that hurt forced one by one. */
export function useCaseContracts(name: string, open: OpenHarness): void {
  managingContract(name, open)
  quotingContract(name, open)
  payingContract(name, open)
  readingContract(name, open)
  repeatingContract(name, open)
  deadlineContract(name, open)
  resumingContract(name, open)
  networkOutageContract(name, open)
  payoutAlertsContract(name, open)
  fundingContract(name, open)
  faucetContract(name, open)
  deliveringContract(name, open)
}
