import {
  type EventQuery,
  type EventRecord,
  type EventStore,
  type Page,
  tenantEventTypes,
} from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'

const columns = 'e.tenant_id, e.id, e.type, e.subject_id, e.body, e.occurred_at, e.recorded_at'

const get: Statement = {
  name: 'event.get',
  text: `
    select ${columns} from quipu.event e
    where e.tenant_id = $1 and e.recorded_at = uuid_extract_timestamp($2) and e.id = $2`,
}

// $1 tenant, $2 and $3 the instant and id before which, $4 and $5 the bounds in time, $6 how many rows,
// $7 of which types: each has its own place in the index, so that a few among many are found at once.
const list: Statement = {
  name: 'event.list',
  text: `
    select e.*
    from unnest($7::text[]) wanted (type)
    cross join lateral (
      select ${columns} from quipu.event e
      where e.tenant_id = $1 and e.type = wanted.type and (e.recorded_at, e.id) < ($2, $3)
        and e.recorded_at >= $4 and e.recorded_at <= $5
      order by e.recorded_at desc, e.id desc limit $6
    ) e
    order by e.recorded_at desc, e.id desc limit $6`,
}

export const eventStatements: readonly Statement[] = [get, list]

type EventRow = {
  readonly tenant_id: string
  readonly id: string
  readonly type: EventRecord['type']
  readonly subject_id: string
  readonly body: Buffer
  readonly occurred_at: Date
  readonly recorded_at: Date
}

/** Events in PostgreSQL. They are written with the payouts and deposits that they are about. */
export const postgresEventStore = (database: Database): EventStore => ({
  get: async (tenantId, id) => {
    const [row] = await database.read<EventRow>(get, [tenantId, id])
    return row && eventFromRow(row)
  },
  list: (tenantId, query) => listEvents(database, tenantId, query),
})

const noId = '00000000-0000-0000-0000-000000000000'

async function listEvents(
  database: Database,
  tenantId: string,
  { after, from, to, type, limit }: EventQuery,
): Promise<Page<EventRecord>> {
  const before = after?.createdAt ?? 'infinity'
  const until = after !== undefined && (to === undefined || after.createdAt < to) ? before : to
  const values = [
    tenantId,
    before,
    after?.id ?? noId,
    from ?? '-infinity',
    until ?? 'infinity',
    limit + 1,
    type ? [type] : tenantEventTypes,
  ]
  const rows = await database.read<EventRow>(list, values)
  const items = rows.slice(0, limit).map(eventFromRow)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, next: last ? { createdAt: last.recordedAt, id: last.id } : null }
}

const eventFromRow = (row: EventRow): EventRecord => ({
  id: row.id,
  tenantId: row.tenant_id,
  type: row.type,
  subjectId: row.subject_id,
  body: new Uint8Array(row.body),
  occurredAt: row.occurred_at,
  recordedAt: row.recorded_at,
})
