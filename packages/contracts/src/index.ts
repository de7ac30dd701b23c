/**
 * Contract suites that prove an adapter of a port of @quipu/core, and the fixtures they use.
 *
 * @module @quipu/contracts
 */

// Stores
export { readContracts, storeContracts } from './stores/store-contracts.ts'
export { claimsContract } from './stores/claims.contract.ts'
export { backlogStoreContract } from './stores/backlog/backlog-store.contract.ts'
export { overviewStoreContract } from './stores/overview/overview-store.contract.ts'
export { depositStoreContract } from './stores/deposit/deposit-store.contract.ts'
export { scanStoreContract } from './stores/deposit/scan-store.contract.ts'
export { topUpAddressStoreContract } from './stores/top-up-address/top-up-address-store.contract.ts'
export { eventStoreContract } from './stores/event/event-store.contract.ts'
export { faucetStoreContract } from './stores/faucet/faucet-store.contract.ts'
export { oneInstantContract } from './stores/ledger/one-instant.contract.ts'
export { walletModelContract } from './stores/ledger/wallet-model.contract.ts'
export { balanceThresholdContract } from './stores/ledger/balance-threshold.contract.ts'
export { walletStoreContract } from './stores/ledger/wallet-store.contract.ts'
export { walletTransactionsContract } from './stores/ledger/wallet-transactions.contract.ts'
export { payoutReferencesContract, payoutStoreContract } from './stores/payout/payout-store.contract.ts'
export { restoreStoreContract } from './stores/restore/restore-store.contract.ts'
export { networkCallStoreContract } from './stores/payout/network-call-store.contract.ts'
export { statementStoreContract } from './stores/statement/statement-store.contract.ts'
export { differenceStoreContract } from './stores/difference/difference-store.contract.ts'
export { payoutDecisionStoreContract } from './stores/payout/payout-decision-store.contract.ts'
export { caseStoreContract } from './stores/case/case-store.contract.ts'
export { signInContract } from './stores/console-session/sign-in.contract.ts'
export { consoleSessionStoreContract } from './stores/console-session/console-session-store.contract.ts'
export { operatorTokenStoreContract } from './stores/operator-token/operator-token-store.contract.ts'
export { dailyTaskStoreContract } from './stores/daily-task/daily-task-store.contract.ts'
export { operatorAlertStoreContract } from './stores/operator-alert/operator-alert-store.contract.ts'
export { noticeStoreContract } from './stores/notice/notice-store.contract.ts'
export { processStoreContract } from './stores/process/process-store.contract.ts'
export { rateLimitStoreContract } from './stores/rate-limit/rate-limit-store.contract.ts'
export { requestLogStoreContract } from './stores/request/request-log-store.contract.ts'
export { proposalStoreContract } from './stores/proposal/proposal-store.contract.ts'
export { reconciliationStoreContract } from './stores/reconciliation/reconciliation-store.contract.ts'
export { quoteStoreContract } from './stores/quote/quote-store.contract.ts'
export { networkStoreContract } from './stores/network/network-store.contract.ts'
export { quotingStoreContract } from './stores/quote/quoting-store.contract.ts'
export { resolutionStoreContract } from './stores/quote/resolution-store.contract.ts'
export { apiKeyStoreContract } from './stores/api-key/api-key-store.contract.ts'
export { ownKeysContract } from './stores/api-key/own-keys.contract.ts'
export { auditChainContract, type AuditForgery, type OpenForgeableAudit } from './stores/audit/audit-chain.contract.ts'
export { auditLogContract } from './stores/audit/audit-log.contract.ts'
export { sweepStoreContract } from './stores/sweep/sweep-store.contract.ts'
export { newMovement } from './stores/treasury/treasury-store.contract.ts'
export { tenantStoreContract } from './stores/tenant/tenant-store.contract.ts'
export { deliveryStoreContract } from './stores/webhook/delivery-store.contract.ts'
export { endpointControlStoreContract } from './stores/webhook/endpoint-control-store.contract.ts'
export { webhookStoreContract } from './stores/webhook/webhook-store.contract.ts'

// Other ports
export { broadcasterContract } from './ports/chain/broadcaster.contract.ts'
export type { ChainDriver, OpenChainDriver } from './ports/chain/chain-driver.ts'
export { chainReaderContract } from './ports/chain/chain-reader.contract.ts'
export { sweepChainContract } from './ports/chain/sweep-chain.contract.ts'
export type { OpenQrNetwork, QrNetworkHarness } from './ports/payment-orders.ts'
export { qrNetworkContract } from './ports/qr-network.contract.ts'
export { withoutCancel } from './fixtures/payout/without-cancel.ts'
export {
  type ListedEntry,
  type PublishedList,
  screeningContract,
  type ScreeningHarness,
} from './ports/screening.contract.ts'
export { rateSourceContract, type RateSourceHarness } from './ports/rate-source.contract.ts'
export { sandboxQrIssuerContract } from './ports/sandbox-qr-issuer.contract.ts'
export { type OpenWakeQueue, wakeQueueContract, type WakeQueueHarness } from './ports/wake-queue.contract.ts'

// Use cases
export { useCaseContracts } from './use-cases/use-case-contracts.ts'
export { fundWalletContract } from './use-cases/deposit/fund-wallet.contract.ts'
export { faucetContract } from './use-cases/faucet/faucet.contract.ts'
export { sendNoticeContract } from './use-cases/notice/send-notice.contract.ts'
export { createPayoutContract } from './use-cases/payout/create-payout.contract.ts'
export { networkOutageContract } from './use-cases/payout/network-outage.contract.ts'
export { operatePayoutsContract } from './use-cases/payout/operate-payouts.contract.ts'
export { payoutsWithoutCancelContract } from './use-cases/payout/payouts-without-cancel.contract.ts'
export { payoutAlertsContract } from './use-cases/payout/payout-alerts.contract.ts'
export { recordNetworkCallsContract } from './use-cases/payout/record-network-calls.contract.ts'
export { payoutDeadlineContract } from './use-cases/payout/payout-deadline.contract.ts'
export { replayPayoutContract } from './use-cases/payout/replay-payout.contract.ts'
export { resumePayoutContract } from './use-cases/payout/resume-payout.contract.ts'
export { reuseResolutionContract } from './use-cases/payout/reuse-resolution.contract.ts'
export { manageProposalsContract } from './use-cases/proposal/manage-proposals.contract.ts'
export { createQuoteContract } from './use-cases/quote/create-quote.contract.ts'
export { sweepContract } from './use-cases/sweep/sweep.contract.ts'
export { manageTenantsContract } from './use-cases/tenant/manage-tenants.contract.ts'
export { deliverEventsContract } from './use-cases/webhook/deliver-events.contract.ts'

// Fixtures
export * from './fixtures/arbitraries.ts'
export { auditEntries } from './fixtures/audit-entries.ts'
export * from './fixtures/builders.ts'
export * from './fixtures/instants.ts'
export { asRecorded, newPayoutEvent } from './fixtures/new-event.ts'
export { newKey } from './fixtures/new-key.ts'
export * from './fixtures/payout/payout-arbitraries.ts'
export * from './fixtures/deposit/addresses.ts'
export * from './fixtures/deposit/deposit-builders.ts'
export * from './fixtures/deposit/observed-transfers.ts'
export { addressDifference, foundDifference } from './fixtures/difference/found-difference.ts'
export { adjustWallet, approveAdjustment } from './fixtures/proposal/approve-action.ts'
export {
  authorOf,
  credentialOf,
  operatorNamed,
  operatorToken,
  originOf,
  presentedBy,
  testOperatorTokens,
  testSignInKeys,
  tokenHashOf,
} from './fixtures/proposal/operators.ts'
export { encodeForTest } from './fixtures/encode-for-test.ts'
export { eventsAbout } from './fixtures/events-about.ts'
export { commitSend, newSend } from './fixtures/faucet/sends.ts'
export { bareEndpoint } from './fixtures/webhook/subscriber.ts'
export { scriptedSweepChain, type ScriptedSweepChain, signatureOf } from './fixtures/sweep/sweep-chain.ts'
export * from './fixtures/sweep/sweeps.ts'
export type { Fund, Need } from './fixtures/need.ts'
export { type Harness, type OpenHarness, useWorld, type World } from './fixtures/harness.ts'
export type { Resource } from './fixtures/resource.ts'
export type { Runs } from './fixtures/runs.ts'
