import type { EventRecord } from '@quipu/core'
import type { DeliveryRow, Room } from '../database.ts'

/** One delivery for each endpoint that wants this event, paused or not. */
export function fanOut(room: Room, event: EventRecord, now: Date): void {
  for (const row of room.webhooks.values()) {
    const { events } = row.endpoint
    if (events !== null && !events.includes(event.type)) continue
    const delivery: DeliveryRow = {
      event,
      status: 'pending',
      nextAt: now,
      round: row.round,
      attempt: 0,
      fence: 0,
      outUntil: null,
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
