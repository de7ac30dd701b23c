/**
 * For operating the service: what all tenants have, tenants and their keys, money that moves by hand, the audit
 * log, and the checks of the books; with the stores that keep them.
 *
 * @module @quipu/core/operator
 */
export type { BalanceReader, SolidBalances } from './chain/chain.ts'
export { addressIntegrityError } from './top-up-address/address-mac.ts'
export { auditClose, auditCredit } from './deposit/audit-review.ts'
export {
  type ExplainedTransaction,
  type ExplainedTransfer,
  type ExplainTransaction,
  explainTransaction,
  type ExplainTransactionPorts,
  type ExplainedOutcome,
  explainedOutcomes,
} from './deposit/explain-transaction.ts'
export { returnProblem, type ReturnProblem, type ReturnProblemPorts } from './deposit/return-problem.ts'
export type { KeyUse } from './key-ring/key-ring.ts'
export { renewAddressMacs, renewSecrets } from './key-renewal/renew-keys.ts'
export type * from './key-renewal/renew-keys.ts'
export * from './case/case.ts'
export * from './console-session/console-session.ts'
export type * from './console-session/ports.ts'
export * from './console-session/second-factor.ts'
export * from './console-session/sign-in.ts'
export { auditDifference } from './difference/audit-difference.ts'
export {
  closeDifference,
  type CloseDifference,
  type CloseDifferencePorts,
  type CloseDifferenceRefusal,
  type CloseDifferenceResult,
  type ClosureNote,
} from './difference/close-difference.ts'
export * from './difference/difference.ts'
export * from './difference/ports.ts'
export { alertCodes, type AlertSeverity, type FaultCode, faultCodes, severityOf } from './alert.ts'
export * from './screening/case.ts'
export * from './screening/end-outages.ts'
export * from './tenant/screen-tenants.ts'
export { merchantSubject, screeningKinds, subjectKey, tenantSubject } from './screening/screening.ts'
export * from './fault/fault.ts'
export * from './fault/fault-alerts.ts'
export * from './fault/find-faults.ts'
export * from './ledger/balance-threshold.ts'
export { auditAdjustment } from './ledger/adjustment.ts'
export type * from './ledger/ledger-check.ts'
export { type Adjustment } from './ledger/ports.ts'
export { networkAnswerTypes, networkCallKinds, startCall } from './network/network-call.ts'
export type * from './network/network-call.ts'
export * from './network/confirm-network.ts'
export * from './network/network-store.ts'
export { processingAlertSeconds } from './payout/schedule.ts'
export * from './notice/hand-over.ts'
export * from './notice/notice.ts'
export type * from './notice/ports.ts'
export * from './notice/send-notice.ts'
export * from './daily-task/do-daily.ts'
export * from './daily-task/ports.ts'
export * from './operator-alert/ports.ts'
export * from './operator-alert/send-alerts.ts'
export { auditOperatorCall, auditSettlement } from './payout/audit-decision.ts'
export type * from './payout/decision-ports.ts'
export { decidedStep, type DecidePayoutPorts } from './payout/decide-payout.ts'
export { hintPayout, operatePayouts } from './payout/operate-payouts.ts'
export type * from './payout/operate-payouts.ts'
export { operatorTokenIssued, operatorTokenRevoked } from './operator-token/audit-token.ts'
export { manageOperatorTokens } from './operator-token/manage-operator-tokens.ts'
export type * from './operator-token/manage-operator-tokens.ts'
export { makeOperatorToken } from './operator-token/make-operator-token.ts'
export type * from './operator-token/make-operator-token.ts'
export {
  databaseOwner,
  identityProvider,
  isTokenActive,
  needsTwoToIssue,
  newOperatorToken,
  type OperatorToken,
  operatorTokenDaysMax,
  type OperatorTokenRequest,
  personPattern,
  tokenEndsSoonDays,
  tokensEndingSoon,
} from './operator-token/operator-token.ts'
export type * from './operator-token/ports.ts'
export {
  authorized,
  type Credential,
  hasRole,
  type Operator,
  type OperatorRole,
  operatorRoles,
  Unauthorized,
  type Acting,
} from './access/operator.ts'
export * from './process/ports.ts'
export * from './process/process.ts'
export * from './rate-limit/ports.ts'
export * from './request/ports.ts'
export * from './quote/manage-quoting.ts'
export type { QuotingStore, RateReport, SourceReport } from './quote/ports.ts'
export * from './quote/rates-now.ts'
export { auditQuoting, type Quoting, type QuotingChange } from './quote/quoting.ts'
export { type OperatorRequest, repeatedSubject, type UsedRequest } from './access/operator-request.ts'
export {
  type ActionDetails,
  type ActionOf,
  approverOf,
  type ExecutedAtApproval,
  type ProposalAction,
  type ProposalActionType,
  proposalActionTypes,
  readAction,
  type SettlePayout,
  type StoredAction,
  storedAction,
} from './proposal/action.ts'
export * from './overview/list-all-deliveries.ts'
export * from './overview/payout-activity.ts'
export * from './overview/payout-history.ts'
export * from './overview/ports.ts'
export * from './overview/timeline.ts'
export { auditProposal, auditProposalStep } from './proposal/audit-proposal.ts'
export {
  type ManageProposals,
  manageProposals,
  type ManageProposalsPorts,
  type ProposalAnswer,
  type ReviewsNotOpen,
} from './approval/manage-proposals.ts'
export {
  type ProposalNote,
  type Proposal,
  type ApprovedProposal,
  type DecidedProposal,
  type Evidence,
  type ExecutedProposal,
  type FailedProposal,
  type OpenProposal,
  type ProposalFailure,
  type RejectedProposal,
  proposalFailures,
  type ProposalStatus,
  proposalStatusAt,
  proposalStatuses,
  type WithdrawnProposal,
} from './proposal/proposal.ts'
export { defaultProposalSettings, type ProposalSettings } from './proposal/proposal-settings.ts'
export { type ProposalQuery, type ProposalStore } from './proposal/ports.ts'
export {
  approveProposal,
  executeProposal,
  failProposal,
  openProposal,
  type ProposalRefusal,
  rejectProposal,
  withdrawProposal,
} from './proposal/steps.ts'
export { reconciliationRequested } from './reconciliation/audit-request.ts'
export { checkLiquidity, type CheckLiquidityPorts, type LiquidityReading } from './reconciliation/check-liquidity.ts'
export type * from './reconciliation/ports.ts'
export {
  reconcileChain,
  type ReconcileChainPorts,
  reconcileNetwork,
  type ReconcileNetworkPorts,
  type ReconcileSlice,
  type ReconcileSliceResult,
  type ReconcileSliceSettings,
} from './reconciliation/reconcile-slice.ts'
export {
  type ReconciliationRequest,
  type RequestedReconciliation,
  type RequestReconciliation,
  requestReconciliation,
  type RequestReconciliationPorts,
} from './reconciliation/request-run.ts'
export type * from './reconciliation/run.ts'
export { isGenuine, runMac, type RunMacKeys } from './reconciliation/run-mac.ts'
export { reconciliationChecks } from './reconciliation/run.ts'
export {
  defaultReconciliationTiming,
  type OpenRunPorts,
  type ReconciliationTiming,
  scheduleReconciliation,
  type ScheduleRunsPorts,
} from './reconciliation/schedule-runs.ts'
export {
  type ComparedNewestPayments,
  compareNewestPayments,
  type CompareNewestPaymentsPorts,
} from './reconciliation/compare-newest-payments.ts'
export * from './report/ports.ts'
export * from './report/report.ts'
export * from './report/revenue.ts'
export * from './restore/payout-stop.ts'
export type * from './restore/ports.ts'
export { auditSweepPlan, auditSweepSignatures } from './sweep/audit-sweep.ts'
export * from './sweep/plan-sweep.ts'
export type {
  ClaimedSweep,
  SweepAddress,
  SweepAttempt,
  SweepBatchCounts,
  SweepChain,
  SweepClaim,
  SweepSignature,
  SweepSigner,
  SweepStore,
  SweepToSign,
  SweptAmounts,
} from './sweep/ports.ts'
export { plannedLookSeconds, type SettleSweep, settleSweep, type SettleSweepPorts } from './sweep/settle-sweep.ts'
export * from './sweep/sign-sweep.ts'
export {
  type EndedSweepStatus,
  isLiveSweep,
  type SweepBatch,
  type SweepPlan,
  type SweepProblem,
  sweepProblems,
  type SweepQuote,
  type SweepStatus,
  sweepStatuses,
  sweepTotals,
  type SweepTransfer,
  type UnsignedTransfer,
} from './sweep/sweep.ts'
export * from './period/period.ts'
export { lineMarginMs } from './reconciliation/compare-statement.ts'
export * from './statement/ports.ts'
export * from './statement/read-statements.ts'
export * from './statement/statement.ts'
export { auditHash, auditStart, nextPosition } from './audit/audit-chain.ts'
export { type AuditCheckpoint, isCheckpointSigned, signCheckpoint } from './audit/audit-checkpoint.ts'
export * from './limit/daily-limits.ts'
export { tenantChanged, tenantCreated } from './tenant/audit-tenant.ts'
export { keyAddressesSet, keyIssued, keyRevoked, keyRotated } from './api-key/audit-api-key.ts'
export {
  type ApiKeyStatus,
  apiKeyStatusAt,
  apiKeyStatuses,
  keyNeedsTwo,
  type KeyReplacement,
  overlapSeconds,
  replacedKeyExpiry,
} from './api-key/api-key.ts'
export * from './limit/limits.ts'
export * from './api-key/manage-api-keys.ts'
export * from './api-key/manage-own-keys.ts'
export * from './tenant/manage-tenants.ts'
export * from './fault/service-status.ts'
export * from './tenant/suspension.ts'
export { defaultPricing, earnsNothing, erasedContact } from './tenant/tenant.ts'
export { type TenantAction, type TenantQuery, type TenantRecord } from './tenant/ports.ts'
export {
  type AuditFlaw,
  type AuditPosition,
  type AuditRecord,
  type AuditSlice,
  type Export,
  type AuditAction,
  auditActions,
  auditExport,
  type AuditAuthor,
  type AuditEntry,
  type AuditLog,
  type AuditOrigin,
  type AuditQuery,
  type AuditState,
  type FailedLogins,
  type Refusal,
} from './audit/ports.ts'
export { type AuditVerification, containsEntry, verifyAuditLog } from './audit/verify-audit-log.ts'
export * from './webhook/control-endpoints.ts'
export * from './webhook/endpoint-control.ts'
export type { OperatorPause } from './webhook/endpoint.ts'
export * from './report/trial-balance.ts'
export * from './report/exposure.ts'
export * from './report/forecast.ts'
export * from './treasury/movement.ts'
export type * from './treasury/ports.ts'
export { checkReports, type CheckReportsPorts } from './reconciliation/check-reports.ts'
