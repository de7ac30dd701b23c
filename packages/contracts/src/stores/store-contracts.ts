import { claimsContract } from './claims.contract.ts'
import { topUpAddressStoreContract } from './top-up-address/top-up-address-store.contract.ts'
import { apiKeyStoreContract } from './api-key/api-key-store.contract.ts'
import { ownKeysContract } from './api-key/own-keys.contract.ts'
import { auditLogContract } from './audit/audit-log.contract.ts'
import { backlogStoreContract } from './backlog/backlog-store.contract.ts'
import { deliveryStoreContract } from './webhook/delivery-store.contract.ts'
import { depositStoreContract } from './deposit/deposit-store.contract.ts'
import { differenceStoreContract } from './difference/difference-store.contract.ts'
import { endpointControlStoreContract } from './webhook/endpoint-control-store.contract.ts'
import { eventStoreContract } from './event/event-store.contract.ts'
import { faucetStoreContract } from './faucet/faucet-store.contract.ts'
import type { OpenHarness } from '../fixtures/harness.ts'
import { oneInstantContract } from './ledger/one-instant.contract.ts'
import { networkStoreContract } from './network/network-store.contract.ts'
import { networkCallStoreContract } from './payout/network-call-store.contract.ts'
import { payoutDecisionStoreContract } from './payout/payout-decision-store.contract.ts'
import { caseStoreContract } from './case/case-store.contract.ts'
import { signInContract } from './console-session/sign-in.contract.ts'
import { consoleSessionStoreContract } from './console-session/console-session-store.contract.ts'
import { operatorTokenStoreContract } from './operator-token/operator-token-store.contract.ts'
import { overviewStoreContract } from './overview/overview-store.contract.ts'
import { payoutReadsContract, payoutReferencesContract, payoutStoreContract } from './payout/payout-store.contract.ts'
import { dailyTaskStoreContract } from './daily-task/daily-task-store.contract.ts'
import { operatorAlertStoreContract } from './operator-alert/operator-alert-store.contract.ts'
import { noticeStoreContract } from './notice/notice-store.contract.ts'
import { processStoreContract } from './process/process-store.contract.ts'
import { rateLimitStoreContract } from './rate-limit/rate-limit-store.contract.ts'
import { requestLogStoreContract } from './request/request-log-store.contract.ts'
import { proposalStoreContract } from './proposal/proposal-store.contract.ts'
import { quoteStoreContract } from './quote/quote-store.contract.ts'
import { reconciliationStoreContract } from './reconciliation/reconciliation-store.contract.ts'
import { quotingStoreContract } from './quote/quoting-store.contract.ts'
import { booksContract } from './report/books.contract.ts'
import { reportStoreContract } from './report/report-store.contract.ts'
import { treasuryStoreContract } from './treasury/treasury-store.contract.ts'
import { restoreStoreContract } from './restore/restore-store.contract.ts'
import { resolutionStoreContract } from './quote/resolution-store.contract.ts'
import type { Runs } from '../fixtures/runs.ts'
import { scanStoreContract } from './deposit/scan-store.contract.ts'
import { sweepStoreContract } from './sweep/sweep-store.contract.ts'
import { statementStoreContract } from './statement/statement-store.contract.ts'
import { tenantStoreContract } from './tenant/tenant-store.contract.ts'
import { balanceThresholdContract } from './ledger/balance-threshold.contract.ts'
import { walletModelContract } from './ledger/wallet-model.contract.ts'
import { walletStoreContract } from './ledger/wallet-store.contract.ts'
import { walletTransactionsContract } from './ledger/wallet-transactions.contract.ts'
import { webhookStoreContract } from './webhook/webhook-store.contract.ts'

/** The contracts of all stores, for an adapter that provides every store over one database. */
export function storeContracts(name: string, open: OpenHarness, runs: Runs = {}): void {
  payoutStoreContract(name, open, runs)
  payoutReferencesContract(name, open, runs)
  networkCallStoreContract(name, open)
  claimsContract(name, open)
  networkStoreContract(name, open)
  payoutDecisionStoreContract(name, open)
  quoteStoreContract(name, open, runs)
  quotingStoreContract(name, open)
  resolutionStoreContract(name, open, runs)
  walletStoreContract(name, open)
  balanceThresholdContract(name, open)
  walletModelContract(name, open, runs)
  tenantStoreContract(name, open, runs)
  apiKeyStoreContract(name, open, runs)
  ownKeysContract(name, open)
  eventStoreContract(name, open, runs)
  auditLogContract(name, open, runs)
  noticeStoreContract(name, open)
  operatorAlertStoreContract(name, open)
  dailyTaskStoreContract(name, open)
  processStoreContract(name, open)
  rateLimitStoreContract(name, open)
  requestLogStoreContract(name, open)
  proposalStoreContract(name, open)
  operatorTokenStoreContract(name, open)
  consoleSessionStoreContract(name, open)
  signInContract(name, open)
  caseStoreContract(name, open)
  differenceStoreContract(name, open)
  reconciliationStoreContract(name, open)
  reportStoreContract(name, open)
  booksContract(name, open)
  treasuryStoreContract(name, open)
  restoreStoreContract(name, open)
  statementStoreContract(name, open, runs)
  topUpAddressStoreContract(name, open)
  scanStoreContract(name, open)
  depositStoreContract(name, open, runs)
  walletTransactionsContract(name, open, runs)
  oneInstantContract(name, open, runs)
  sweepStoreContract(name, open)
  faucetStoreContract(name, open)
  webhookStoreContract(name, open)
  endpointControlStoreContract(name, open)
  deliveryStoreContract(name, open, runs)
  backlogStoreContract(name, open)
  overviewStoreContract(name, open)
}

/** The contracts of what a replica of the database may answer. */
export function readContracts(name: string, open: OpenHarness, runs: Runs = {}): void {
  payoutReadsContract(name, open, runs)
  reportStoreContract(name, open)
  statementStoreContract(name, open, runs)
  walletTransactionsContract(name, open, runs)
  eventStoreContract(name, open, runs)
  depositStoreContract(name, open, runs)
  faucetStoreContract(name, open)
  deliveryStoreContract(name, open, runs)
  overviewStoreContract(name, open)
}
