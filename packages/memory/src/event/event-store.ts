import type { EventRecord, EventStore } from '@quipu/core/adapter'
import type { Database, TenantData } from '../table/database.ts'
import { fanOut } from '../webhook/fan-out.ts'

export const memoryEventStore = (database: Database): EventStore => ({
  get: async (tenantId, id) => database.tenants.get(tenantId)?.events.get(id),
  list: async (tenantId, query) => {
    const tenantData = database.tenants.get(tenantId)
    if (tenantData === undefined) return { items: [], next: null }
    const page = tenantData.eventOrder.page(query, (id) => {
      const event = tenantData.events.get(id)
      const isLeftOut = query.type !== undefined && event?.type !== query.type
      return event && !isLeftOut ? { id, createdAt: event.recordedAt, event } : undefined
    })
    return { ...page, items: page.items.map(({ event }) => event) }
  },
})

/** Stores an event, and a delivery for each endpoint whose filter matches it. */
export function storeEvent(database: Database, tenantData: TenantData, recorded: EventRecord): void {
  const { id, tenantId, type, occurredAt, recordedAt, subjectId, body } = recorded
  const event = { id, tenantId, type, occurredAt, recordedAt, subjectId, body }
  tenantData.events.set(event.id, event)
  tenantData.eventOrder.add({ createdAt: event.recordedAt, id: event.id })
  fanOut(tenantData, event, database.now())
}
