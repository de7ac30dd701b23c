import { ApiError } from '@quipu/api'
import type { Clock, WebhookSender } from '@quipu/core'
import { pace } from './pace.ts'

/** Keeps webhooks so rare that nobody is flooded with them. */
export type WebhookPace = {
  /** How long this key must wait before anything is sent to this URL, in ms. */
  waitMs(key: string, url: string): number
  /** Something is sent. */
  take(key: string, url: string): void
}

/** @source assumed */
const perKey = 1
const perHost = 5

/** @param realNow  receivers have no other */
export function webhookPace(realNow: Clock): WebhookPace {
  const keys = pace(perKey, realNow)
  const hosts = pace(perHost, realNow)
  return {
    waitMs: (key, url) => Math.max(keys.waitMs(key), hosts.waitMs(hostOf(url))),
    take(key, url) {
      keys.take(key)
      hosts.take(hostOf(url))
    },
  }
}

/** On whatever port, and with or without the dot at its end. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '')

/** Sends what tenants ask for by themselves, and no more often. @param keyOf  who asks */
export const pacedSender = (
  sender: WebhookSender,
  pace: WebhookPace,
  keyOf: () => string,
): WebhookSender => ({
  /** @throws ApiError 429 when it is not their turn */
  async send(request) {
    const waitMs = pace.waitMs(keyOf(), request.url)
    if (waitMs > 0) {
      const retryAfter = String(Math.ceil(waitMs / 1000))
      throw new ApiError('RATE_LIMITED', { headers: { 'Retry-After': retryAfter } })
    }
    pace.take(keyOf(), request.url)
    return sender.send(request)
  },
})
