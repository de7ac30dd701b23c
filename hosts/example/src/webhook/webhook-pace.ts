import { ApiError } from '@quipu/api'
import type { Clock, WebhookSender } from '@quipu/core'
import { hostOf, isExampleReceiver } from './example-receiver.ts'
import { pace } from './pace.ts'

/** Limits the rate of webhooks, per key and per receiving host. */
export type WebhookPace = {
  /** The ms until this key may send to this URL. */
  waitMs(key: string, url: string): number
  /** Records that a webhook is sent. */
  take(key: string, url: string): void
}

const perKey = 1
const perHost = 5

/** @param realNow  real time: keys can advance their own clocks */
export function webhookPace(realNow: Clock): WebhookPace {
  const keys = pace(perKey, realNow)
  const hosts = pace(perHost, realNow)
  return {
    waitMs: (key, url) => (isExampleReceiver(url) ? 0 : Math.max(keys.waitMs(key), hosts.waitMs(hostOf(url)))),
    take(key, url) {
      if (isExampleReceiver(url)) return // Nothing leaves this machine.
      keys.take(key)
      hosts.take(hostOf(url))
    },
  }
}

/** Applies the limits to webhooks that tenants send by a request. @param keyOf  the key of the request */
export const pacedSender = (sender: WebhookSender, pace: WebhookPace, keyOf: () => string): WebhookSender => ({
  /** @throws ApiError 429 when the rate limit is reached */
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
