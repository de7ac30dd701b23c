export {
  httpWebhookSender,
  type HttpWebhookSender,
  type WebhookSenderSettings,
} from './http-sender.ts'
export { isPublicAddress, isPublicIpv4, isPublicIpv6 } from './public-address.ts'
export type { ResolveName } from './resolve-name.ts'
export { webhookUrlGuard, type WebhookUrlGuardSettings } from './url-guard.ts'
