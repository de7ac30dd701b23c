import type { Page } from '@quipu/core'
import type { EventRecord } from '@quipu/core/adapter'
import type { AllEventsQuery } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { pageOfAll } from '../page-of-all.ts'

export function listEvents(database: Database, query: AllEventsQuery): Page<EventRecord> {
  const wanted = eventsOf(database).filter(
    ({ tenantId, type, subjectId }) =>
      (query.tenantId === undefined || tenantId === query.tenantId) &&
      (query.type === undefined || type === query.type) &&
      (query.subjectId === undefined || subjectId === query.subjectId),
  )
  const rows = wanted.map((event) => ({ id: event.id, createdAt: event.recordedAt, event }))
  const page = pageOfAll(rows, query)
  return { ...page, items: page.items.map(({ event }) => event) }
}

export const findEvent = (database: Database, id: string): EventRecord | undefined =>
  eventsOf(database).find((event) => event.id === id)

const eventsOf = ({ tenants }: Database): readonly EventRecord[] =>
  Array.from(tenants.values(), ({ events }) => [...events.values()]).flat()
