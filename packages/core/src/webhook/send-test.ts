import type { EncodeEvent } from '../event/event.ts'
import type { Ids } from '../ids.ts'
import { sendSigned, type SigningPorts } from './deliver.ts'
import type { WebhookStore } from './ports.ts'
import type { AttemptResult } from './sender.ts'

export type TestWebhookPorts = SigningPorts & {
  readonly webhooks: Pick<WebhookStore, 'get'>
  readonly encodeEvent: EncodeEvent
  readonly ids: Ids
}

/** What came of a test. Undefined: no such endpoint. */
export type TestWebhook = (
  tenantId: string,
  endpointId: string,
) => Promise<{ readonly eventId: string; readonly result: AttemptResult } | undefined>

/**
 * Sends `webhook.test` to one endpoint at once, paused or not: one attempt, which is neither
 * retried, nor counted, nor kept.
 *
 * @source spec §6
 */
export function testWebhook(ports: TestWebhookPorts, headerPrefix: string): TestWebhook {
  const send = sendSigned(ports, headerPrefix)
  return async (tenantId, endpointId) => {
    const stored = await ports.webhooks.get(tenantId, endpointId)
    if (!stored) return undefined
    const at = ports.now()
    const eventId = ports.ids.uuid(at)
    const { body } = ports.encodeEvent({
      id: eventId,
      tenantId,
      type: 'webhook.test',
      occurredAt: at,
      recordedAt: at,
      data: { webhookId: endpointId },
    })
    const { secrets, endpoint } = stored
    const claim = { endpointId, eventId, fencingToken: 0 }
    const what = { claim, url: endpoint.url, secrets, body }
    return { eventId, result: await send(what) }
  }
}
