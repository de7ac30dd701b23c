import { payoutDeadlineContract } from './payout/payout-deadline.contract.ts'
import { deliverEventsContract } from './webhook/deliver-events.contract.ts'
import { faucetContract } from './faucet/faucet.contract.ts'
import { fundWalletContract } from './deposit/fund-wallet.contract.ts'
import type { OpenHarness } from '../fixtures/harness.ts'
import { manageProposalsContract } from './proposal/manage-proposals.contract.ts'
import { manageTenantsContract } from './tenant/manage-tenants.contract.ts'
import { networkOutageContract } from './payout/network-outage.contract.ts'
import { sendNoticeContract } from './notice/send-notice.contract.ts'
import { createPayoutContract } from './payout/create-payout.contract.ts'
import { payoutsWithoutCancelContract } from './payout/payouts-without-cancel.contract.ts'
import { operatePayoutsContract } from './payout/operate-payouts.contract.ts'
import { payoutAlertsContract } from './payout/payout-alerts.contract.ts'
import { recordNetworkCallsContract } from './payout/record-network-calls.contract.ts'
import { createQuoteContract } from './quote/create-quote.contract.ts'
import { screeningCasesContract } from './screening/screening-cases.contract.ts'
import { sweepContract } from './sweep/sweep.contract.ts'
import { reuseResolutionContract } from './payout/reuse-resolution.contract.ts'
import { replayPayoutContract } from './payout/replay-payout.contract.ts'
import { resumePayoutContract } from './payout/resume-payout.contract.ts'

/** The contracts of all use cases on a set of stores. */
export function useCaseContracts(name: string, open: OpenHarness): void {
  manageTenantsContract(name, open)
  manageProposalsContract(name, open)
  createQuoteContract(name, open)
  createPayoutContract(name, open)
  reuseResolutionContract(name, open)
  replayPayoutContract(name, open)
  payoutDeadlineContract(name, open)
  resumePayoutContract(name, open)
  networkOutageContract(name, open)
  payoutAlertsContract(name, open)
  recordNetworkCallsContract(name, open)
  operatePayoutsContract(name, open)
  payoutsWithoutCancelContract(name, open)
  sendNoticeContract(name, open)
  fundWalletContract(name, open)
  faucetContract(name, open)
  screeningCasesContract(name, open)
  sweepContract(name, open)
  deliverEventsContract(name, open)
}
