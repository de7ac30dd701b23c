import type { AttemptResult } from '@quipu/core/adapter'
import { httpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'

export type Poster = {
  /** @returns the result of the attempt, or why the URL is refused */
  post(url: string, event: object): Promise<AttemptResult | string>
  stop(): Promise<void>
}

/** @param allowPrivate  for development and tests: http, any port and any address */
export function poster(allowPrivate = false): Poster {
  const guard = webhookUrlGuard({ allowPrivate })
  const sender = httpWebhookSender({ allowPrivate })
  const headers = { 'content-type': 'application/json' }
  return {
    async post(url, event) {
      // For 10.0.0.1: must not lead to a private or reserved address
      const fault = await guard.check(url)
      return fault ?? sender.send({ url, headers, body: Buffer.from(JSON.stringify(event)) })
    },
    stop: () => sender.stop(),
  }
}
