import { type Clock, defaultEndpointPolicy, defaultRetryPolicy, deliver, type Stores } from '@quipu/core'
import type { AttemptResult, WebhookRequest } from '@quipu/core/adapter'
import { aesSecretBox } from '@quipu/runtime'
import { systemRandom } from '@quipu/core/system'
import type { WebhookPorts } from '../../ports.ts'

/** Receivers whose answers a test scripts. They accept everything by default. */
export type ScriptedWebhooks = WebhookPorts & {
  /** The requests so far, in order. */
  readonly sent: WebhookRequest[]
  /** The result of further requests. */
  answer: (request: WebhookRequest) => Promise<AttemptResult>
  /** The reason to refuse a URL, or null. */
  checkUrl: (url: string) => Promise<string | null>
}

export const succeeded: AttemptResult = { statusCode: 200, latencyMs: 12, error: null, excerpt: 'thank you' }
export const failed: AttemptResult = { statusCode: 503, latencyMs: 7, error: 'STATUS', excerpt: 'down' }

export function scriptedWebhooks(): ScriptedWebhooks {
  const script: ScriptedWebhooks = {
    sent: [],
    answer: async () => succeeded,
    checkUrl: async () => null,
    sender: {
      send: async (request) => {
        script.sent.push(request)
        return script.answer(request)
      },
    },
    urlGuard: { check: (url) => script.checkUrl(url) },
    secretBox: aesSecretBox([{ id: '1', key: new Uint8Array(32).fill(7) }], systemRandom),
  }
  return script
}

/** Sends due webhooks, as a worker does, until none is due. */
export function sendDue(
  { deliveries }: Pick<Stores, 'deliveries'>,
  { sender, secretBox }: WebhookPorts,
  now: Clock,
): () => Promise<void> {
  const raiseAlert = (): void => undefined
  const noJitter = (size: number): Uint8Array => new Uint8Array(size)
  const { pauseAfter } = defaultEndpointPolicy
  const settings = { retryPolicy: defaultRetryPolicy, pauseAfter, headerPrefix: 'X-Service-' }
  const send = deliver({ deliveries, sender, secretBox, now, random: noJitter, raiseAlert }, settings)
  const query = { limit: 100, leaseSeconds: 30, perEndpoint: 100, perTenant: 100, catchUpPerSecond: 1_000_000 }
  const poll = async (): Promise<number> => {
    const fast = await deliveries.claimDue({ ...query, deliveryClass: 'fast' })
    const slow = await deliveries.claimDue({ ...query, deliveryClass: 'slow' })
    for (const claimed of [...fast, ...slow]) await send(claimed)
    return fast.length + slow.length
  }
  return async () => {
    while ((await poll()) > 0);
  }
}
