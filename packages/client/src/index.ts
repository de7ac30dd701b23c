/**
 * The client of the Quipu API, and the receiver of its webhooks. Runs in Node, Bun and at the edge.
 *
 * @module @quipu/client
 */
export type { Deposits } from './deposits.ts'
export {
  QuipuConnectionError,
  QuipuError,
  type QuipuErrorCode,
  type QuipuErrorDetail,
  QuipuTimeoutError,
} from './errors.ts'
export type { Events } from './events.ts'
export type * from './openapi.ts'
export type { Pages } from './pages.ts'
export type { Payouts } from './payouts.ts'
export { type Quipu, quipu, type QuipuOptions } from './quipu.ts'
export type { Quotes } from './quotes.ts'
export type { FaucetOptions, Sandbox } from './sandbox.ts'
export type { CallOptions } from './send.ts'
export type { Service } from './service.ts'
export type { Wallets } from './wallets.ts'
export type { Deliveries, Webhooks } from './webhooks.ts'
export {
  expressReceiver,
  fetchReceiver,
  type NodeRequest,
  type NodeResponse,
  type ReceiverOptions,
} from './receiver.ts'
export { type RawBody, type SignOptions, signWebhook } from './signature.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
