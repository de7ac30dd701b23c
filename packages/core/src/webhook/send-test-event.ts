import type { EncodeEvent } from './outgoing-event.ts'
import { type Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import { sendSigned } from './deliver.ts'
import type { WebhookStore } from './ports.ts'
import type { SecretBox } from './secret-box.ts'
import type { AttemptResult, WebhookSender } from './sender.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `testWebhook`. */
export type TestWebhookPorts = {
  readonly webhooks: Pick<WebhookStore, 'get'>
  readonly secretBox: Pick<SecretBox, 'decrypt'>
  readonly sender: WebhookSender
  readonly encodeEvent: EncodeEvent
  readonly ids: Ids
  readonly now: Clock
  /** The clock of signatures; `now` by default. */
  readonly signedAt?: Clock
}

/**
 * The result of a test; undefined when the endpoint does not exist.
 *
 * @throws Unavailable when the store cannot be read
 */
export type TestWebhook = (
  tenantId: string,
  endpointId: string,
) => Promise<{ readonly eventId: string; readonly result: AttemptResult } | undefined>

/**
 * Sends `webhook.test` to one endpoint, also while it is paused: one attempt that is neither retried, counted
 * nor stored.
 *
 * @source spec §6
 * @example
 * ```ts
 * const url = 'https://hooks.example/quipu'
 * const input = { url, events: null, description: null }
 * const created = await manageWebhooks(ports, defaultEndpointPolicy).create(tenant.id, input)
 * if (created.type === 'refused') throw new Error(created.code)
 * const test = await testWebhook(ports, 'X-')(tenant.id, created.endpoint.id)
 * console.log(test?.result.statusCode) // 200
 * ```
 */
export function testWebhook(ports: TestWebhookPorts, headerPrefix: string): TestWebhook {
  checkSettings('testWebhook', { headerPrefix }, { headerPrefix: 'string' })

  const send = sendSigned(ports, headerPrefix)
  return async (tenantId, endpointId) => {
    const stored = await ports.webhooks.get(tenantId, endpointId)
    if (!stored) return undefined
    const at = ports.now()
    const eventId = ports.ids.uuid(at)
    const body = ports.encodeEvent({
      id: eventId,
      tenantId,
      type: 'webhook.test',
      occurredAt: at,
      recordedAt: at,
      data: { webhookId: endpointId },
    })
    const { secrets, endpoint } = stored
    const claim = { endpointId, eventId, fencingToken: 0 }
    return { eventId, result: await send({ claim, url: endpoint.url, secrets, body }) }
  }
}
