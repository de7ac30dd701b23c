import type { EventRecord, EventStore } from '@quipu/core'
import type { Database, Statement } from './database.ts'

const listBySubject: Statement = {
  name: 'event.list_by_subject',
  text: `
    select tenant_id, id, type, subject_id, body, occurred_at, recorded_at from quipu.event
    where tenant_id = $1 and subject_id = $2 order by recorded_at, id`,
}

type EventRow = {
  readonly tenant_id: string
  readonly id: string
  readonly type: EventRecord['type']
  readonly subject_id: string
  readonly body: Buffer
  readonly occurred_at: Date
  readonly recorded_at: Date
}

/** Events in PostgreSQL. They are written with the payouts that they are about. */
export const postgresEventStore = (database: Database): EventStore => ({
  listBySubject: async (tenantId, subjectId) => {
    const rows = await database.query<EventRow>(listBySubject, [tenantId, subjectId])
    return rows.map((row) => ({
      id: row.id,
      tenantId: row.tenant_id,
      type: row.type,
      subjectId: row.subject_id,
      body: new Uint8Array(row.body),
      occurredAt: row.occurred_at,
      recordedAt: row.recorded_at,
    }))
  },
})
