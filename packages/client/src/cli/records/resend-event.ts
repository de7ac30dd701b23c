import { type Delivery, QuipuError } from '../../index.ts'
import type { CommandCall } from '../connection/command-call.ts'
import { CommandError, exitCodes } from '../exit.ts'

/**
 * Sends an event again to each endpoint that has a delivery of it.
 *
 * @throws CommandError when no endpoint has one; QuipuError when the service refuses a delivery
 */
export async function resendEvent(
  call: CommandCall,
  eventId: string,
  webhookId: string | undefined,
): Promise<readonly Delivery[]> {
  const { client, context } = call
  const { signal } = context
  const event = await client.events.get(eventId, { signal })
  const endpoints = webhookId === undefined ? await endpointsOf(call) : [webhookId]
  const sent: Delivery[] = []
  for (const endpoint of endpoints) {
    const delivery = await deliveryOf(call, endpoint, event)
    if (delivery === undefined) continue
    sent.push(await resent(call, delivery))
  }
  if (sent.length > 0) return sent
  throw new CommandError(
    exitCodes.refused,
    `No endpoint has a delivery of ${event.type} ${event.id}: ${
      endpoints.length === 0 ? 'none is registered' : 'none was for this type at that time'
    }. To send it to a server of yours: quipu listen --since ${event.recorded_at} --forward-to URL`,
  )
}

async function endpointsOf({ client, context }: CommandCall): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { id } of client.webhooks.list({}, { signal: context.signal })) found.push(id)
  return found
}

/** Deliveries are newest first, and none is older than its event. */
async function deliveryOf(
  { client, context: { signal } }: CommandCall,
  endpoint: string,
  { id, recorded_at }: { readonly id: string; readonly recorded_at: string },
): Promise<Delivery | undefined> {
  for await (const delivery of client.webhooks.deliveries.list(endpoint, { limit: 100 }, { signal })) {
    if (delivery.event_id === id) return delivery
    if (delivery.created_at < recorded_at) return undefined
  }
  return undefined
}

/** A delivery that is about to be attempted anyway needs no resend. */
async function resent(
  { client, context: { signal, terminal } }: CommandCall,
  { webhook_id, id, ...delivery }: Delivery,
): Promise<Delivery> {
  try {
    return await client.webhooks.deliveries.resend(webhook_id, id, { signal })
  } catch (error) {
    if (!(error instanceof QuipuError) || error.code !== 'DELIVERY_PENDING') throw error
    terminal.error(`${id} is attempted now, or will be by itself: it is not sent twice.\n`)
    return { ...delivery, webhook_id, id }
  }
}
