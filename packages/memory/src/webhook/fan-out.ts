import type { EventRecord } from '@quipu/core/adapter'
import type { TenantData } from '../table/database.ts'
import type { DeliveryRow } from '../table/webhook-row.ts'

/** Adds one delivery for each endpoint whose filter matches the event, also for paused endpoints. */
export function fanOut(tenantData: TenantData, event: EventRecord, now: Date): void {
  for (const row of tenantData.webhooks.values()) {
    const { events } = row.endpoint
    if (events !== null && !events.includes(event.type)) continue
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
}
