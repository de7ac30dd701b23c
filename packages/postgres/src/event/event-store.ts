import type { Page } from '@quipu/core'
import { type EventQuery, type EventRecord, type EventStore, type PagePosition } from '@quipu/core/adapter'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { pageOf, scannedMax, scannedPageOf } from '../page.ts'
import { readableRows } from '../readable-rows.ts'
import { isFundingType } from './funding-event-types.ts'
import { bodyOf } from './stored-body.ts'

/** The columns of table `e` that `eventFromRow` needs. */
export const eventColumns: string = `
  e.tenant_id, e.event_id as id, e.event_type as type, e.subject_id, e.body, e.occurred_at,
  e.logged_at as recorded_at`

/** An event's id contains its instant to the millisecond, so the id alone leads to its entry of the log. */
const get = statement('event.get')`
  select ${eventColumns} from quipu.tenant_log e
  where e.tenant_id = $1 and e.logged_at = uuid_extract_timestamp($2) and e.event_id = $2`

// Parameters: $1 tenant, $2 and $3 exclusive upper instant and id, $4 and $5 inclusive bounds in time, $6
// number of rows, $7 event type.

const listing = (name: string, from: string): Statement => statement(name)`
  select ${eventColumns} from ${from}
  where e.tenant_id = $1 and e.event_id is not null
    and e.logged_at >= $4 and e.logged_at <= $5 and (e.logged_at, e.event_id) < ($2, $3)
  order by e.logged_at desc, e.event_id desc limit $6`

const ofPayouts = (condition: string): string => `(
  select tenant_id, event_id, 'payout.' || status as event_type, payout_id as subject_id, body,
    ended_at as occurred_at, ended_at as logged_at
  from quipu.payout_end where ${condition}) e`

const ofFunding = `(
  select tenant_id, event_id, type as event_type, subject_id, body, occurred_at, logged_at
  from quipu.funding_entry where type = $7) e`

export const listAll: Statement = listing('event.list', 'quipu.tenant_log e')
/** Nearly all payouts are completed, so this type has no index of its own: filters the next events of all types. */
export const listCompleted: Statement = statement('event.list_completed')`
  with scanned as materialized (
    select * from quipu.tenant_log e
    where e.tenant_id = $1 and e.event_id is not null
      and e.logged_at >= $4 and e.logged_at <= $5 and (e.logged_at, e.event_id) < ($2, $3)
    order by e.logged_at desc, e.event_id desc limit ${scannedMax}
  )
  select ${eventColumns} from scanned e where e.event_type = 'payout.completed' limit $6`

const lastScanned = statement('event.last_scanned')`
  select e.event_id as id, e.logged_at as "createdAt" from quipu.tenant_log e
  where e.tenant_id = $1 and e.event_id is not null
    and e.logged_at >= $4 and e.logged_at <= $5 and (e.logged_at, e.event_id) < ($2, $3)
  order by e.logged_at desc, e.event_id desc offset ${scannedMax - 1} limit 1`

/** The condition `<> 'completed'` lets the planner use the partial index of the other outcomes. */
const listExceptions = listing(
  'event.list_exceptions',
  ofPayouts(`status = substring($7 from 8) and status <> 'completed'`),
)
const listFunding = listing('event.list_funding', ofFunding)

function listingOf(type: EventQuery['type']): Statement {
  if (type === undefined) return listAll
  if (isFundingType(type)) return listFunding
  return type === 'payout.completed' ? listCompleted : listExceptions
}

export type EventRow = {
  readonly tenant_id: string
  readonly id: string
  readonly type: EventRecord['type']
  readonly subject_id: string
  readonly body: Buffer
  readonly occurred_at: Date
  readonly recorded_at: Date
}

/** Events in PostgreSQL. The commits of payouts, deposits and refunds write them. */
export const postgresEventStore = (database: Database): EventStore => ({
  get: async (tenantId, id) => {
    const [row] = await database.read<EventRow>(get, [tenantId, id])
    return row && eventFromRow(row)
  },
  list: (tenantId, query) => listEvents(database, tenantId, query),
})

const noId = '00000000-0000-0000-0000-000000000000'

export async function listEvents(
  database: Database,
  tenantId: string,
  { after, from, to, type, limit }: EventQuery,
): Promise<Page<EventRecord>> {
  const before = after?.createdAt ?? 'infinity'
  const until = after !== undefined && (to === undefined || after.createdAt < to) ? before : to
  const values = [tenantId, before, after?.id ?? noId, from ?? '-infinity', until ?? 'infinity', limit + 1]
  const statement = listingOf(type)
  const isByType = statement === listExceptions || statement === listFunding
  const rows = await database.read<EventRow>(statement, isByType ? [...values, type] : values)
  const events = rows.map((row) => ({ id: row.id, createdAt: row.recorded_at, row }))
  const page =
    statement === listCompleted
      ? await scannedPageOf(events, limit, async () => {
          const [row] = await database.read<PagePosition>(lastScanned, values.slice(0, 5))
          return row
        })
      : pageOf(events, limit)
  return { ...page, items: readEvents(database, page.items) }
}

/** The events of these rows, without those whose bytes cannot be read. */
export const readEvents = (database: Database, items: readonly { readonly row: EventRow }[]): readonly EventRecord[] =>
  readableRows(
    database,
    'event',
    items.map(({ row }) => row),
    (row) => {
      const event = eventFromRow(row)
      utf8.decode(event.body)
      return event
    },
  )

const utf8 = new TextDecoder('utf-8', { fatal: true })

export const eventFromRow = (row: EventRow): EventRecord => ({
  id: row.id,
  tenantId: row.tenant_id,
  type: row.type,
  subjectId: row.subject_id,
  body: new Uint8Array(bodyOf(row.body)),
  occurredAt: row.occurred_at,
  recordedAt: row.recorded_at,
})
