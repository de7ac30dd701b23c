import { type EventRecord, isSubscribed } from '@quipu/core/adapter'
import type { TenantData } from '../table/database.ts'
import type { DeliveryRow, WebhookRow } from '../table/webhook-row.ts'

/** Adds one delivery for each endpoint whose filter matches the event, also for paused endpoints. */
export function fanOut(tenantData: TenantData, event: EventRecord, now: Date): void {
  for (const row of tenantData.webhooks.values()) {
    if (wants(row, event)) addDelivery(row, event, now)
  }
}

/** Whether the filter of the endpoint has the event. */
export const wants = ({ endpoint: { events } }: WebhookRow, { type }: EventRecord): boolean =>
  isSubscribed(events, type)

/** Adds the delivery of an event, due now. */
export function addDelivery(row: WebhookRow, event: EventRecord, now: Date): void {
  const delivery: DeliveryRow = {
    event,
    status: 'pending',
    nextAt: now,
    generation: row.generation,
    attempt: 0,
    fencingToken: 0,
    inFlightUntil: null,
    dueAt: null,
    isLeased: false,
    lostLeases: 0,
    attempts: [],
    endedAt: null,
    returnTo: null,
  }
  row.deliveries.set(event.id, delivery)
  row.open.add(delivery)
  row.order.add({ createdAt: event.recordedAt, id: event.id })
}
