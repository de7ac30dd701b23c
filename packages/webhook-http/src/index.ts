/**
 * Sends webhooks for @quipu/core over HTTP: one attempt with a deadline, no redirects, checked addresses.
 *
 * @module @quipu/webhook-http
 */
export { httpWebhookSender, type HttpWebhookSender, type WebhookSenderSettings } from './attempt/http-sender.ts'
export { isPublicAddress, isPublicIpv4, isPublicIpv6 } from './target/public-address.ts'
export type { ResolveName } from './target/resolve-name.ts'
export { webhookUrlGuard, type WebhookUrlGuardSettings } from './target/url-guard.ts'
export { type GatewaySettings, type SignedGateway, signedGateway } from './gateway/signed-gateway.ts'
