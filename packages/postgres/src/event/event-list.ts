import type { Page } from '@quipu/core'
import type { EventRecord } from '@quipu/core/adapter'
import type { AllEventsQuery } from '@quipu/core/operator'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { eventColumns, eventFromRow, readEvents, type EventRow, listEvents as listOfTenant } from './event-store.ts'
import { fundingEventTypes, isFundingType } from './funding-event-types.ts'
import { eventIdBoundsOf, idBoundsOf, pageOf } from '../page.ts'

// An event's id begins with its instant, so lists are sorted by id, newest first. Parameters: $1 exclusive upper id,
// $2 inclusive lower id, $3 number of rows.

const inBounds = 'e.event_id < $1::uuid and e.event_id >= $2::uuid'
const newestFirst = 'e.event_id desc limit $3'

const ofPayouts = `
  e.tenant_id, e.event_id, 'payout.' || e.status as event_type, e.payout_id as subject_id, e.body,
  e.ended_at as occurred_at, e.ended_at as logged_at`
const ofFunding = `
  e.tenant_id, e.event_id, e.type as event_type, e.subject_id, e.body, e.occurred_at, e.logged_at`

const fundingOf = (type: string): string => `
  select ${ofFunding} from quipu.funding_entry e where e.type = ${type} and ${inBounds} order by ${newestFirst}`

/** Parameters: $4 exclusive upper id of payouts that can have these events, $5 `fundingEventTypes`. */
const list = statement('overview.events')`
  select ${eventColumns} from (
    select ${ofPayouts} from quipu.newest_payout_events($2::uuid, $1::uuid, $4, $3::int) e
    union all
    select f.* from unnest($5::text[]) k (type) cross join lateral (${fundingOf('k.type')}) f
  ) e
  order by ${newestFirst}`

/** Parameters: $4 type. */
const listExceptions = statement('overview.events_of_exceptions')`
  select ${eventColumns} from (
    select ${ofPayouts} from quipu.payout_end e
    where e.status = substring($4 from 8) and e.error_code is not null and ${inBounds}
    order by ${newestFirst}
  ) e`

/** Parameters: $4 type. */
const listFunding = statement('overview.events_of_funding')`select ${eventColumns} from (${fundingOf('$4')}) e`

/** A payout or deposit has few events. Parameters: $4 type or null, $5 subject, $6 tenant or null. */
const listOfSubject = statement('overview.events_of_subject')`
  with entries as materialized (
    select ${ofPayouts} from quipu.payout_end e where e.payout_id = $5
    union all
    select ${ofFunding} from quipu.funding_entry e where e.subject_id = $5 and e.amount is not null
    union all
    select ${ofFunding} from quipu.funding_entry e where e.subject_id = $5 and e.amount is null
  )
  select ${eventColumns} from entries e
  where ${inBounds} and ($4::text is null or e.event_type = $4)
    and ($6::text is null or e.tenant_id = $6)
  order by ${newestFirst}`

/** Parameters: $1 event id, $2 `fundingEventTypes`. */
const find = statement('overview.event')`
  select ${eventColumns} from (
    select ${ofPayouts} from quipu.payout_events($1::uuid, $1::uuid) e
    union all
    select ${ofFunding} from unnest($2::text[]) k (type) cross join lateral (
      select * from quipu.funding_entry e where e.type = k.type and e.event_id = $1::uuid limit 1
    ) e
  ) e limit 1`

export async function findEvent(database: Database, id: string): Promise<EventRecord | undefined> {
  const [row] = await database.list<EventRow>(find, [id, fundingEventTypes])
  return row && eventFromRow(row)
}

export async function listEvents(
  database: Database,
  { tenantId, subjectId, ...query }: AllEventsQuery,
): Promise<Page<EventRecord>> {
  const { after, to, type, limit } = query
  const read = async (statement: Statement, ...values: readonly unknown[]) => {
    const bounds = [...eventIdBoundsOf(query), limit + 1]
    const rows = await database.list<EventRow>(statement, [...bounds, ...values])
    const positioned = rows.map((row) => ({ id: row.id, createdAt: row.recorded_at, row }))
    const { items, next } = pageOf(positioned, limit)
    return { items: readEvents(database, items), next }
  }
  if (subjectId !== undefined) return read(listOfSubject, type ?? null, subjectId, tenantId ?? null)
  if (tenantId !== undefined) return listOfTenant(database, tenantId, query)
  if (type !== undefined && type !== 'payout.completed')
    return read(isFundingType(type) ? listFunding : listExceptions, type)
  // A payout ends after its creation.
  const until = after !== undefined && (to === undefined || after.createdAt < to) ? after.createdAt : to
  const [payoutBefore] = idBoundsOf('po', { limit, ...(until && { to: until }) })
  // Nearly all events are of completed payouts, so this type filters a page of all.
  const page = await read(list, payoutBefore, fundingEventTypes)
  const isWanted = (event: EventRecord): boolean => type === undefined || event.type === type
  return { ...page, items: page.items.filter(isWanted) }
}
