/**
 * The JSON of the Quipu API: zod schemas, encoders and the OpenAPI 3.1 documents.
 *
 * @module @quipu/wire
 */
export { cursorScope, type CursorScope, decodeCursor, encodeCursor } from './list/cursor.ts'
export { type BacklogJson, backlogToJson } from './backlog/backlog.ts'
export { parsePayoutActivity, type PayoutActivityJson, payoutActivityToJson } from './activity/payout-activity.ts'
export {
  type DeliveryJson,
  deliveryToJson,
  parseDeliveryList,
  parseReplay,
  replayedToJson,
} from './webhook/delivery.ts'
export {
  type OwnApiKeyJson,
  ownApiKeyToJson,
  parseOwnApiKeyList,
  parseRotateOwnKey,
  rotatedApiKeyToJson,
} from './api-key/api-key.ts'
export { type DepositJson, parseDepositList, type ReviewCodeJson } from './deposit/deposit.ts'
export { depositToJson } from './deposit/deposit-to-json.ts'
export { type FaultJson, faultsToJson, type FaultListJson } from './fault/fault.ts'
export { processesToJson, type ProcessListJson } from './process/process.ts'
export { keysToJson, type KeyUseJson } from './key-ring/key-use.ts'
export { parseNoBody, parseNoQuery } from './json/empty.ts'
export { type ErrorJson, errorToJson, type HttpError } from './error/error.ts'
export { type HttpErrorCode, httpErrors, retryAfterSeconds } from './error/http-errors.ts'
export { operatorTokenRefused, qrNotRead } from './error/messages.ts'
export { eventPageText, eventText, parseEventList } from './event/event-list.ts'
export { type DepositEventJson, type PayoutEventJson, type WebhookTestEventJson } from './event/event.ts'
export { encodeEvent } from './event/encode-event.ts'
export { type FaucetRecordJson, faucetRecordToJson, faucetSendToJson, parseFaucetRequest } from './faucet/faucet.ts'
export { canonicalJson, fingerprint } from './json/fingerprint.ts'
export { type ReadinessJson, readinessToJson } from './service/health.ts'
export { isId, parseUuid } from './json/identifier.ts'
export { addressOrCidr } from './json/address.ts'
export { instantToJson } from './json/instant.ts'
export { type ListRequest, type PageJson, pageToJson } from './list/list.ts'
export {
  type MockClockJson,
  mockClockToJson,
  mockKeyPrefix,
  mockTime,
  parseClockAdvance,
  parseMockDeposit,
} from './mock/mock.ts'
export { alertsToJson, type GatewayAnswerJson, gatewayAnswerToJson, parseDigestQuery } from './operator-alert/alert.ts'
export { type DigestJson, type DigestLanguage, digestLanguages, digestToJson } from './operator-alert/digest-to-json.ts'
export { type AlertJson, alertKey, alertToJson, type Installation } from './operator-alert/alert-to-json.ts'
export { type TenantNoticeJson, tenantNoticeToJson } from './notice/tenant-notice-to-json.ts'
export { type MoneyJson, moneyToJson } from './json/money-to-json.ts'
export { type OpenApiDocument } from './document/document.ts'
export { bodyBytesMax, type StatedLimits } from './text/limits.ts'
export { operatorOpenApi } from './document/operator.ts'
export { publicOpenApi, type PublicOpenApiOptions } from './document/public.ts'
export {
  type ApiKeyJson,
  apiKeyToJson,
  type IssuedApiKeyJson,
  issuedApiKeyToJson,
  parseApiKeyPatch,
  parseApiKeyRequest,
  parseRotateKey,
} from './api-key/operator-api-key.ts'
export {
  type OperatorDepositDetailJson,
  operatorDepositDetailToJson,
  type OperatorDepositJson,
  operatorDepositToJson,
  parseCloseDeposit,
  parseCloseDeposits,
  parseCreditDeposit,
  parseOperatorDepositList,
  parseReturnDeposit,
} from './deposit/operator-deposit.ts'
export { explainedTransactionToJson, parseTransactionQuery } from './deposit/explained-transaction.ts'
export type { ExplainedTransactionJson } from './deposit/explained-transaction.ts'
export {
  type AuditEntryJson,
  auditEntryToJson,
  auditPageOf,
  auditQueryOf,
  checkpointToJson,
  parseAuditList,
} from './audit/audit-log.ts'
export {
  type AuditVerificationJson,
  auditVerificationToJson,
  type AuditVerificationRequest,
  type CheckpointResult,
  parseAuditVerification,
  verifiedEntriesMax,
} from './audit/audit-verification.ts'
export {
  type DifferenceJson,
  differenceToJson,
  parseDifferenceClosure,
  parseDifferenceList,
} from './difference/difference.ts'
export {
  queriedPayoutToJson,
  type QueriedPayoutJson,
  networkCallToJson,
  type NetworkCallJson,
} from './payout/network-call.ts'
export { type CaseWorkJson, caseWorkToJson, parseCaseNote, type TakenCaseJson, takenCaseToJson } from './case/case.ts'
export {
  consoleSessionToJson,
  type ConsoleSessionJson,
  enrolmentToJson,
  type EnrolmentJson,
  parseCode,
  parseSignIn,
  type SecondFactorJson,
  type SessionRecordJson,
  sessionRecordToJson,
  type SignInRequest,
} from './console-session/console-session.ts'
export { csvMediaType, type CsvTable, csvTable } from './csv/csv.ts'
export { type Format, type Formatted, parseFormatted } from './list/list-format.ts'
export { operatorCsv } from './csv/operator-rows.ts'
export { statementCsv } from './statement/statement-csv.ts'
export {
  balanceLine,
  type ExposureReportJson,
  exposureToJson,
  type LiquidityReportJson,
  liquidityToJson,
  parseLiquidity,
  parseTrialBalance,
  type TrialBalanceJson,
  trialBalanceToJson,
} from './report/balance.ts'
export { type MovementJson, movementToJson, parseMovement, parseReversal } from './treasury/treasury.ts'
export {
  parseReport,
  type ReportRequest,
  reportToJson,
  type RevenueReportJson,
  revenueRow,
  revenueToJson,
  type VolumeReportJson,
  volumeRow,
  volumeToJson,
} from './report/report.ts'
export {
  parseStatement,
  parseStatementList,
  type StatementJson,
  statementPosition,
  type StatementRequest,
  type StatementSummaryJson,
  statementSummaryToJson,
  statementToJson,
} from './statement/statement.ts'
export { parseOperatorList } from './list/operator-list.ts'
export {
  parseSignedSweeps,
  parseSweepRequest,
  type PlannedSweepJson,
  plannedSweepToJson,
  type SweepAddressJson,
  sweepAddressToJson,
  type SweepBatchJson,
  type SweepBatchSummaryJson,
  sweepBatchSummaryToJson,
  sweepBatchToJson,
  type SweepImportJson,
  sweepImportToJson,
} from './sweep/sweep.ts'
export { sweepFile, type SweepFileFacts, type SweepFileJson, sweepFileToJson } from './sweep/sweep-file.ts'
export {
  parseScreeningCaseList,
  parseScreeningDecision,
  type ScreeningCaseJson,
  screeningCaseToJson,
} from './screening/screening.ts'
export type { ProposalPresent } from './proposal/details.ts'
export { parseProposalList, parseRejection, type ProposalJson, proposalToJson } from './proposal/proposal.ts'
export { type AdjustmentRequest, parseAdjustment } from './proposal/adjustment.ts'
export { parseRefund, type RefundRequest } from './proposal/refund.ts'
export { parseSettlement, type SettlementRequest } from './proposal/settlement.ts'
export {
  parseQuotingPause,
  type QuotingJson,
  type QuotingReportJson,
  quotingReportToJson,
  quotingToJson,
} from './rate/rate.ts'
export {
  type ConfiguredNetwork,
  parseNetworkConfirmation,
  type QrNetworkJson,
  qrNetworkToJson,
} from './network/network.ts'
export { parseRepeatable, type Repeatable } from './json/repeatable.ts'
export {
  parseReconciliation,
  parseReconciliationList,
  type ReconciliationRunJson,
  reconciliationRunToJson,
} from './reconciliation/reconciliation-run.ts'
export {
  type OperatorTokenJson,
  operatorTokenToJson,
  parseOperatorTokenRequest,
} from './operator-token/operator-token.ts'
export { type OperatorPayoutJson, operatorPayoutToJson, parseOperatorPayoutList } from './payout/operator-payout.ts'
export { type FoundRecordsJson, foundRecordsToJson, parseFoundSecret, parseSearch } from './search/search.ts'
export {
  type OperatorEndpointJson,
  operatorEndpointToJson,
  parseOperatorEndpointList,
} from './webhook/operator-endpoint.ts'
export { type OperatorWalletJson, operatorWalletToJson, parseOperatorWalletList } from './ledger/operator-wallet.ts'
export {
  type OperatorDeliveryJson,
  operatorDeliveryToJson,
  parseOperatorDeliveryList,
} from './webhook/operator-delivery.ts'
export {
  type EventTypeFilter,
  type OperatorEventJson,
  operatorEventToJson,
  parseOperatorEventList,
  type SentEventJson,
  sentEventToJson,
} from './event/operator-event.ts'
export {
  type OperatorFaucetSendJson,
  operatorFaucetSendToJson,
  parseOperatorFaucetSendList,
} from './faucet/operator-faucet-send.ts'
export { type PayoutHistoryJson, payoutHistoryToJson } from './payout/payout-history.ts'
export { operatorQuoteToJson } from './quote/operator-quote.ts'
export { type TimelineEntryJson, type TimelineKindJson } from './payout/timeline.ts'
export { type ServiceStatusJson, serviceStatusToJson } from './service/service-status.ts'
export { parsePayoutStop, type PayoutStopJson, payoutStopToJson } from './payout/payout-stop.ts'
export {
  parseResumption,
  parseSuspension,
  parseTenantList,
  parseTenantPatch,
  parseTenantRequest,
  type TenantJson,
  tenantToJson,
} from './tenant/tenant.ts'
export { type OperatorTopUpAddressJson, operatorTopUpAddressToJson } from './top-up-address/top-up-address.ts'
export { describeIssues, type Issue, mapParsed, parse, type Parsed } from './json/parsed.ts'
export { parsePayoutList, type PayoutListRequest } from './payout/payout-list.ts'
export { descriptionMax, metadataMax, parsePayoutRequest, type TypedPayoutRequest } from './payout/payout-request.ts'
export { type PayoutJson } from './payout/payout.ts'
export { payoutText, payoutToJson } from './payout/payout-to-json.ts'
export { parseQuoteRequest, type QuoteJson, type QuoteRecordJson, targetRequired } from './quote/quote.ts'
export { quoteToJson, quoteViewToJson } from './quote/quote-to-json.ts'
export { type ReconciliationJson, reconciliationToJson } from './ledger/reconciliation.ts'
export { parseResolveRequest, type ResolutionJson, resolutionToJson } from './quote/resolution.ts'
export { parseSandboxQrRequest, type SandboxQrJson, sandboxQrToJson } from './sandbox/sandbox-qr.ts'
export {
  parseWalletTransactionList,
  type WalletTransactionJson,
  walletTransactionToJson,
} from './ledger/wallet-transaction.ts'
export { parseRequestList, type RequestEntryJson, requestEntryToJson } from './request/request.ts'
export { parseWalletQuery, type ShownTopUpAddress, type WalletJson, walletToJson } from './ledger/wallet.ts'
export { parseWalletPatch } from './ledger/wallet-balance.ts'
export {
  parseRotateSecret,
  parseWebhookList,
  parseWebhookPatch,
  parseWebhookRequest,
} from './webhook/webhook-request.ts'
export {
  type EndpointStateJson,
  endpointStateToJson,
  parseEndpointPause,
  parseEndpointResumption,
  type ResumedEndpointJson,
  resumedEndpointToJson,
} from './webhook/endpoint-control.ts'
export {
  type ReactivatedWebhookJson,
  reactivatedWebhookToJson,
  type WebhookJson,
  type WebhookTestJson,
  webhookTestToJson,
  webhookToJson,
  type WebhookWithQueueJson,
  webhookWithQueueToJson,
  type WebhookWithSecretJson,
  webhookWithSecretToJson,
} from './webhook/webhook.ts'
