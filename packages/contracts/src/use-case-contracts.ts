import { deadlineContract } from './deadline-contract.ts'
import { deliveringContract } from './delivering-contract.ts'
import { faucetContract } from './faucet-contract.ts'
import { fundingContract } from './funding-contract.ts'
import type { OpenHarness } from './harness.ts'
import { managingContract } from './managing-contract.ts'
import { networkOutageContract } from './network-outage-contract.ts'
import { payingContract } from './paying-contract.ts'
import { payoutAlertsContract } from './payout-alerts-contract.ts'
import { quotingContract } from './quoting-contract.ts'
import { readingContract } from './reading-contract.ts'
import { repeatingContract } from './repeating-contract.ts'
import { resumingContract } from './resuming-contract.ts'

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
