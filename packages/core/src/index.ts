/**
 * Pays Bolivian merchant QRs from a USDT balance: states, quotes, ledger and use cases, with no I/O.
 *
 * For services that embed Quipu: the use cases, what they take and answer, money, and the ports that an
 * embedder gives. Who writes an adapter finds the rest in `@quipu/core/adapter`.
 *
 * In the examples, `ports` has every port, as in docs/embedding.md; `tenant` has 1,000 USDT, an API key named
 * `checkout` and an undelivered event; `qr` is a QR for BOB 100.00; and `chain` makes transfers.
 *
 * @module @quipu/core
 */
export type { Alert, RaiseAlert } from './alert.ts'
export type { AddressFormat, AddressSource, Broadcaster, ChainReader, TransferSigner } from './chain/chain.ts'
export { type CreditFault, creditFault, type CreditFaultPorts } from './deposit/compare-sources.ts'
export { defaultDepositRules } from './deposit/decide-deposit.ts'
export type { Deposit, DepositStatus, ReviewCode } from './deposit/deposit.ts'
export type { DepositRules } from './deposit/ports.ts'
export type { TopUpAddress } from './top-up-address/ports.ts'
export { scanHead } from './deposit/scan-head.ts'
export { scanSolid } from './deposit/scan-solid.ts'
export { defaultScanSettings, type Scan, type ScanPoll, type ScanPorts, type ScanSettings } from './deposit/scan.ts'
export { unmatchedKinds, type UnmatchedTransfer } from './chain/chain.ts'
export {
  type SettleDeposit,
  settleDeposit,
  type SettleDepositPorts,
  type SettleDepositSettings,
  type SettledDeposit,
} from './deposit/settle-deposit.ts'
export {
  type EnsureTopUpAddress,
  ensureTopUpAddress,
  type EnsureTopUpAddressPorts,
  type RotateTopUpAddress,
  rotateTopUpAddress,
  type RotateTopUpAddressPorts,
} from './top-up-address/top-up-address.ts'
export { tenantEventTypes, type TenantEventType } from './event/event.ts'
export { type EncodeEvent, type TenantEvent } from './webhook/outgoing-event.ts'
export { defaultFaucetLimits, type FaucetLimits, type FaucetSend } from './faucet/faucet.ts'
export {
  defaultFaucetSettings,
  type FaucetAnswer,
  type FaucetRefused,
  type FaucetRequest,
  type FaucetSettings,
  type RequestFaucet,
  requestFaucet,
  type RequestFaucetPorts,
} from './faucet/request-faucet.ts'
export { type SettleFaucetSend, settleFaucetSend, type SettleFaucetSendPorts } from './faucet/settle-faucet-send.ts'
export { type Ids, idSource, type RandomBytes } from './ids.ts'
export type { KeyRing, NamedKey } from './key-ring/key-ring.ts'
export type { Wallet } from './ledger/ledger.ts'
export type { WalletTransaction } from './ledger/ports.ts'
export {
  type Reconcile,
  reconcile,
  type ReconcilePorts,
  type Reconciliation,
} from './reconciliation/reconcile-wallet.ts'
export {
  addMoney,
  type Bob,
  bob,
  compareMoney,
  type Currency,
  MAX_MINOR,
  type Money,
  parseMoney,
  subtractMoney,
  toDecimal,
  type Usdt,
  usdt,
} from './money.ts'
export * from './network/guard-network.ts'
export { cancelling, type NetworkCapabilities, type QrNetwork } from './network/qr-network.ts'
export type { Page, PageQuery } from './page.ts'
export { type CreatePayout, createPayout, type CreatePayoutPorts } from './payout/create-payout.ts'
export {
  defaultPayoutSettings,
  type PayoutAnswer,
  type PayoutRefusal,
  type PayoutRequest,
  type PayoutSettings,
} from './payout/payout-request.ts'
export type { Payout, PayoutErrorCode, PayoutStatus } from './payout/payout.ts'
export {
  defaultResumeSettings,
  type ResumePayout,
  resumePayout,
  type ResumePayoutPorts,
  type ResumeSettings,
} from './payout/resume-payout.ts'
export {
  type CreateQuote,
  createQuote,
  type CreateQuotePorts,
  type QuoteAnswer,
  quoteLifeSeconds,
  type QuoteRequest,
} from './quote/create-quote.ts'
export type { RateSource } from './quote/ports.ts'
export type { Quote } from './quote/quote.ts'
export { formatRate, parseRate, type Rate, rate } from './quote/rate.ts'
export type { Resolution } from './quote/resolution.ts'
export {
  type ResolveAnswer,
  type ResolveQr,
  resolveQr,
  type ResolveQrPorts,
  type ResolveQrSettings,
} from './quote/resolve-qr.ts'
export type { SandboxQrIssuer } from './sandbox.ts'
export type { Stores } from './stores.ts'
export { type ApiKey, type ApiKeyKind, type Caller } from './api-key/api-key.ts'
export { type ApiKeyScope, apiKeyScopes } from './access/api-key-scope.ts'
export {
  type Access,
  type Authenticate,
  authenticate,
  type AuthenticatePorts,
  keyCacheSeconds,
  type StillAllowed,
} from './api-key/authenticate.ts'
export type { Pricing, Tenant } from './tenant/tenant.ts'
export type { Clock, Deadline, Monotonic, Timer } from './time.ts'
export { defaultScreenSettings, type Screen, screenSubjects } from './screening/screen.ts'
export type { Screened, ScreeningPlace, ScreenPorts, ScreenSettings } from './screening/screen.ts'
export { senderSubject } from './screening/screening.ts'
export type {
  Screening,
  ScreeningAnswer,
  ScreeningKind,
  ScreeningList,
  ScreeningSubject,
} from './screening/screening.ts'
export { type Dependency, Unavailable } from './unavailable.ts'
export { type Deliver, deliver, type DeliverPorts, type DeliverSettings } from './webhook/deliver.ts'
export type { Delivery, DeliveryStatus } from './webhook/delivery.ts'
export { defaultEndpointPolicy, type EndpointPolicy, type WebhookEndpoint } from './webhook/endpoint.ts'
export {
  type EndpointWithSecret,
  type ManageWebhooks,
  manageWebhooks,
  type ManageWebhooksPorts,
  type NewWebhook,
  type WebhookRefusal,
} from './webhook/manage-webhooks.ts'
export { defaultRetryPolicy, type RetryPolicy } from './webhook/retry-policy.ts'
export type { SecretBox } from './webhook/secret-box.ts'
export { type TestWebhook, testWebhook, type TestWebhookPorts } from './webhook/send-test-event.ts'
export type { WebhookSender, WebhookUrlGuard } from './webhook/sender.ts'
export { defaultToleranceSeconds, type SignatureFault, signWebhook, verifyWebhook } from './webhook/signature.ts'
