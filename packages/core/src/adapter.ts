/**
 * The needs of an adapter besides `@quipu/core`: the types of its port, and the pure functions that a store
 * shares with other stores. `@quipu/contracts` proves an adapter.
 *
 * @module @quipu/core/adapter
 */
export {
  type Backlog,
  type BacklogCount,
  backlogCountMax,
  type BacklogStore,
  type DeliveryPace,
  deliveryPaces,
  endingTokensMax,
  heldLockSeconds,
} from './backlog/backlog.ts'
export { type DeadlineQueue, deadlineQueue, type QueuedDeadline } from './deadline-queue.ts'
export { addressMac } from './top-up-address/address-mac.ts'
export type {
  BlockRef,
  Chain,
  ChainAccount,
  ChainBlock,
  ChainView,
  SignedTransfer,
  TokenState,
  TokenTransfer,
  TransferOrder,
  TransferOutcome,
  UnknownTokenTransfer,
} from './chain/chain.ts'
export type { RecordedTransfer, TopUpAddressStore } from './top-up-address/ports.ts'
export { normalizedName } from './screening/name.ts'
export { creditDeposit, depositAsCommitted } from './deposit/credit-deposit.ts'
export { decideDeposit, type DepositFacts } from './deposit/decide-deposit.ts'
export {
  type ClosedReview,
  type CreditedDeposit,
  depositEndedAt,
  type DepositInReview,
  type DepositReturn,
  type DepositStep,
  dustMax,
  dustReason,
  isUndecided,
  type PendingDeposit,
  type ReviewClosure,
  reviewCodes,
  screeningCodeOf,
  type TransferRef,
  type UndecidedDeposit,
} from './deposit/deposit.ts'
export {
  byNameOnlyEventTypes,
  type DepositEventType,
  depositEventTypes,
  type PayoutEventType,
  payoutEventTypes,
  type WalletEventType,
  walletEventTypes,
} from './event/event.ts'
export { openDeposit } from './deposit/open-deposit.ts'
export type { AllDepositsQuery, DepositQuery } from './deposit/deposit-query.ts'
export type {
  ClaimedDeposit,
  ClaimedScan,
  DepositAttempts,
  DepositClaim,
  DepositCommit,
  DepositCommitResult,
  DepositStore,
  ObservedTransfer,
  ReviewAuthor,
  ReviewClosures,
  ScanAdvance,
  ScanClaim,
  ScanStore,
  UnconfirmedTransfer,
  UnverifiedLimits,
} from './deposit/ports.ts'
export { closeReview, isCreditableReview, isOpenReview } from './deposit/resolve-review.ts'
export {
  type ReviewDeposits,
  reviewDeposits,
  type ReviewDepositsPorts,
  type ReviewRefusal,
  type ReviewResult,
} from './deposit/review-deposits.ts'
export { topUpAddressRetired } from './top-up-address/top-up-address.ts'
export { sha256 } from './digest.ts'
export type { EventQuery, EventRecord, EventStore, NewEvent } from './event/event.ts'
export type { DepositEvent } from './deposit/deposit.ts'
export type { PayoutEvent } from './payout/payout.ts'
export type { OutgoingEvent } from './webhook/outgoing-event.ts'
export { recordEvent } from './event/record-event.ts'
export type { Redated } from './event/redated.ts'
export { checkFaucetLimits } from './faucet/check-faucet-limits.ts'
export type { FaucetDraft, FaucetStatus, FaucetUsage, FaucetUse } from './faucet/faucet.ts'
export type {
  ClaimedSend,
  FaucetClaim,
  FaucetCommitResult,
  FaucetLimitCheck,
  FaucetRefusal,
  FaucetStore,
} from './faucet/ports.ts'
export { sendDelaySeconds } from './faucet/settle-faucet-send.ts'
export { keyIdOf, isMacOf, keyOf } from './key-ring/key-ring.ts'
export {
  type IdPrefix,
  cellIds,
  cellLetters,
  idInstant,
  installationIds,
  isOfInstallation,
  isOfOtherCell,
  lowestId,
  uuidAt,
  walletTransactionId,
  walletTransactionSeq,
} from './ids.ts'
export {
  type Balance,
  isBalanced,
  isBalanceLow,
  type LedgerAccount,
  postTransfer,
  type Transfer,
  transferLegs,
  type TransferType,
  type WalletBalance,
  type WalletEvent,
  type WalletTotals,
} from './ledger/ledger.ts'
export { expectPositive } from './money.ts'
export { type BalanceEventOf, type WalletStore, type WalletTransactionQuery } from './ledger/ports.ts'
export { qrContentMax } from './network/qr-network.ts'
export type {
  AmountMode,
  FinalAnswer,
  FinalPaymentOutcome,
  Merchant,
  NetworkAnswer,
  PaidAnswer,
  PaymentOrder,
  PaymentOutcome,
  QrRead,
  QrRefused,
  StatementRow,
  UnpaidProof,
} from './network/qr-network.ts'
export { foldText } from './fold-text.ts'
export type { PagePosition } from './page.ts'
export type { RaisedAlerts } from './payout/alerts.ts'
export { cancelPayout, openPayout, payoutMessages, refusedQrHint, rejectPayout } from './payout/open-payout.ts'
export {
  type EndedPayout,
  type PayoutDraft,
  type PayoutMetadata,
  type PayoutQr,
  type PayoutStep,
  type ProcessingPayout,
  type SettledPayout,
  type DeclineCode,
  type DeclinedPayout,
} from './payout/payout.ts'
export {
  type ClaimedPayout,
  type ClaimYield,
  type FoundForCreate,
  ownerClaim,
  type PayoutClaim,
  type PayoutCommit,
  type PayoutCommitResult,
  type PayoutQuery,
  type PayoutStore,
  type ReadConsistency,
  type StoredPayout,
} from './payout/ports.ts'
export { catchUpDelaysSeconds, probeDelaySeconds } from './payout/schedule.ts'
export { isFinalAnswer, settlePayout, type SettleTiming } from './payout/settle-payout.ts'
export type { QuoteDraft, QuoteStore, RateReading, ResolutionStore } from './quote/ports.ts'
export { rateAgeSeconds } from './quote/create-quote.ts'
export { type QuotePrice, quotePrice } from './quote/price.ts'
export type { QuoteView } from './quote/quote.ts'
export {
  sandboxBankCode,
  sandboxOutcomes,
  type SandboxQr,
  type SandboxQrRequest,
  type SandboxScenario,
  sandboxScenarios,
} from './sandbox.ts'
export { apiKeyHash, apiKeyPrefix, isKeyUsable, keyKindOf, makeApiKey } from './api-key/api-key.ts'
export { type TenantStore } from './tenant/ports.ts'
export { type ApiKeyRef, type ApiKeyStore, type PresentedKey, type RotatedKey } from './api-key/ports.ts'
export type { TechnicalContact } from './tenant/tenant.ts'
export { isoText, notBefore, withTimeout } from './time.ts'
export {
  attemptsOnRecord,
  type DeliveryAttempt,
  deliveryId,
  eventIdOfDelivery,
  excerptBytesMax,
  instantOfDelivery,
} from './webhook/delivery.ts'
export {
  consecutiveFailuresAfter,
  type DeliveryOutcome,
  type EncryptedSecret,
  isSubscribed,
  shownSecrets,
  failingAlertSeconds,
  secretContext,
} from './webhook/endpoint.ts'
export type {
  AttemptRecord,
  ClaimedDelivery,
  ClaimedRun,
  DeliveryClaim,
  DeliveryClaimQuery,
  EnqueuedDelivery,
  DeliveryQuery,
  DeliveryStore,
  EndpointChange,
  EndpointSecrets,
  Reactivated,
  ReplayedBatch,
  ReplayQuery,
  ResendResult,
  RecordedAttempt,
  StoredEndpoint,
  WebhookStore,
} from './webhook/ports.ts'
export { type RetryDecision, retryDelayMs } from './webhook/retry-policy.ts'
export { type AttemptError, type AttemptResult, attemptTimeoutSeconds, type WebhookRequest } from './webhook/sender.ts'
export type { DeliveryRef, WakeMessage, WakeQueue } from './webhook/wake-queue.ts'
