import type { EventRecord, EventStore } from '@quipu/core'
import type { Database, Room } from '../database.ts'
import { fanOut } from '../webhook/fan-out.ts'

export const memoryEventStore = (database: Database): EventStore => ({
  get: async (tenantId, id) => database.rooms.get(tenantId)?.events.get(id),
  list: async (tenantId, query) => {
    const room = database.rooms.get(tenantId)
    if (room === undefined) return { items: [], next: null }
    const page = room.eventOrder.page(query, (id) => {
      const event = room.events.get(id)
      const isLeftOut = query.type !== undefined && event?.type !== query.type
      return event && !isLeftOut ? { id, createdAt: event.recordedAt, event } : undefined
    })
    return { ...page, items: page.items.map(({ event }) => event) }
  },
})

/** Records an event, with a delivery for each endpoint that is to be told. */
export function tell(database: Database, room: Room, recorded: EventRecord): void {
  const { id, tenantId, type, occurredAt, recordedAt, subjectId, body } = recorded
  const event = { id, tenantId, type, occurredAt, recordedAt, subjectId, body }
  room.events.set(event.id, event)
  room.eventOrder.add({ createdAt: event.recordedAt, id: event.id })
  fanOut(room, event, database.now())
}
