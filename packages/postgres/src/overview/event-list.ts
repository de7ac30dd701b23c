import type { Page } from '@quipu/core'
import type { EventRecord } from '@quipu/core/adapter'
import type { AllEventsQuery } from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'
import {
  eventColumns,
  eventFromRow,
  type EventRow,
  listEvents as listOfTenant,
  noId,
} from '../event/event-store.ts'
import { pageOf } from '../page.ts'

// Each tenant has a log of its own. A page of n events has events of at most n tenants: of those whose newest
// event is newest. So a statement reads one entry of each tenant, and then at most n of n tenants. Parameters:
// $1 and $2 exclusive upper instant and id, $3 and $4 inclusive bounds in time, $5 number of rows, $6 type.

const inBounds = `
  e.event_id is not null and e.logged_at >= $3 and e.logged_at <= $4
  and (e.logged_at, e.event_id) < ($1, $2)`
const newestFirst = 'e.logged_at desc, e.event_id desc'

const listing = (name: string, log: string): Statement => {
  const entries = (tenant: string, rows: string): string => `
    select e.* from ${log} e where e.tenant_id = ${tenant} and ${inBounds}
    order by ${newestFirst} limit ${rows}`
  return {
    name,
    text: `
      with newest as materialized (
        select t.id from quipu.tenant t cross join lateral (${entries('t.id', '1')}) e
        order by ${newestFirst} limit $5
      )
      select ${eventColumns}
      from newest n cross join lateral (${entries('n.id', '$5')}) e
      order by ${newestFirst} limit $5`,
  }
}

const ofPayouts = (condition: string): string => `(
  select tenant_id, event_id, 'payout.' || status as event_type, payout_id as subject_id, body,
    ended_at as occurred_at, ended_at as logged_at
  from quipu.payout_end where ${condition})`
const ofFunding = (condition: string): string => `(
  select tenant_id, event_id, type as event_type, subject_id, body, occurred_at, logged_at
  from quipu.funding_entry where ${condition})`

const list = listing('overview.events', 'quipu.tenant_log')
/** The condition `<> 'completed'` lets the planner use the partial index of the other outcomes. */
const listExceptions = listing(
  'overview.events_of_exceptions',
  ofPayouts(`status = substring($6 from 8) and status <> 'completed'`),
)
const listFunding = listing('overview.events_of_funding', ofFunding('type = $6'))

/** A payout or deposit has few events. Parameters: $6 type or null, $7 subject, $8 tenant or null. */
const listOfSubject: Statement = {
  name: 'overview.events_of_subject',
  text: `
    with entries as materialized (
      select * from ${ofPayouts('payout_id = $7')} p
      union all
      select * from ${ofFunding('subject_id = $7 and amount is not null')} f
      union all
      select * from ${ofFunding('subject_id = $7 and amount is null')} n
    )
    select ${eventColumns} from entries e
    where ${inBounds} and ($6::text is null or e.event_type = $6)
      and ($8::text is null or e.tenant_id = $8)
    order by ${newestFirst} limit $5`,
}

/** An event's id contains its instant, which finds it in the log of its tenant. */
const find: Statement = {
  name: 'overview.event',
  text: `
    select ${eventColumns} from quipu.tenant t cross join lateral (
      select * from quipu.tenant_log e
      where e.tenant_id = t.id and e.logged_at = uuid_extract_timestamp($1) and e.event_id = $1 offset 0
    ) e limit 1`,
}

export const overviewEventStatements: readonly Statement[] = [
  list,
  listExceptions,
  listFunding,
  listOfSubject,
  find,
]

export async function findEvent(database: Database, id: string): Promise<EventRecord | undefined> {
  const [row] = await database.read<EventRow>(find, [id])
  return row && eventFromRow(row)
}

export async function listEvents(
  database: Database,
  { tenantId, subjectId, ...query }: AllEventsQuery,
): Promise<Page<EventRecord>> {
  const { after, from, to, type, limit } = query
  const before = after?.createdAt ?? 'infinity'
  const until = after !== undefined && (to === undefined || after.createdAt < to) ? before : to
  const bounds = [before, after?.id ?? noId, from ?? '-infinity', until ?? 'infinity', limit + 1]
  if (subjectId !== undefined)
    return read(database, listOfSubject, [...bounds, type ?? null, subjectId, tenantId ?? null])
  if (tenantId !== undefined) return listOfTenant(database, tenantId, query)
  if (type !== undefined && type !== 'payout.completed')
    return type.startsWith('payout.')
      ? read(database, listExceptions, [...bounds, type])
      : read(database, listFunding, [...bounds, type])
  // Nearly all events are of completed payouts, so this type filters a page of all.
  const page = await read(database, list, bounds)
  const isWanted = (event: EventRecord): boolean => type === undefined || event.type === type
  return { ...page, items: page.items.filter(isWanted) }
}

/** @param values the fifth is the number of rows: one more than the page has */
async function read(
  database: Database,
  statement: Statement,
  values: readonly unknown[],
): Promise<Page<EventRecord>> {
  const rows = await database.read<EventRow>(statement, values)
  const positioned = rows.map((row) => ({ id: row.id, createdAt: row.recorded_at, row }))
  const { items, next } = pageOf(positioned, Number(values[4]) - 1)
  return { items: items.map(({ row }) => eventFromRow(row)), next }
}
