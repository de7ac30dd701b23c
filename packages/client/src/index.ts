/**
 * The client of the Quipu API, and the receiver of its webhooks. Runs in Node, Bun and at the edge.
 *
 * @module @quipu/client
 */
export type { ApiKeys } from './endpoints/api-keys.ts'
export type { Deposits } from './endpoints/deposits.ts'
export {
  QuipuConnectionError,
  QuipuError,
  type QuipuErrorCode,
  type QuipuErrorDetail,
  QuipuTimeoutError,
} from './request/errors.ts'
export type { Events } from './endpoints/events.ts'
export type * from './openapi/openapi.ts'
export type { AnswerInfo, AttemptInfo, QuipuHooks, RateLimit, RetryInfo } from './request/hooks.ts'
export type { Pages } from './request/pages.ts'
export type { Payouts } from './endpoints/payouts.ts'
export { type Quipu, quipu, type QuipuOptions } from './quipu.ts'
export type { Quotes } from './endpoints/quotes.ts'
export type { Requests } from './endpoints/requests.ts'
export type { FaucetOptions, Sandbox } from './endpoints/sandbox.ts'
export type { CallOptions } from './request/send.ts'
export type { Service } from './endpoints/service.ts'
export type { Wallets } from './endpoints/wallets.ts'
export type { Deliveries, Webhooks } from './endpoints/webhooks.ts'
export type { ReceiverOptions } from './webhook/receive.ts'
export { version } from './version.ts'
export { memoryReplayStore, type ReplayStore } from './webhook/replay-store.ts'
export { type RawBody, type SignOptions, signWebhook } from './webhook/signature.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhook/verify-webhook.ts'
