import type { NewEvent } from '@quipu/core/adapter'
import { type Database, statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'

/** Finds entries by the random bits of their events' ids, as a redated event has another instant in its id. */
const entriesOf = statement('deposit.durable_entries')`
  select i.place::int - 1 as place, e.logged_at
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[]) with ordinality
    i (tenant_id, type, given, event_id, place)
  cross join lateral (
    select e.logged_at from quipu.funding_entry e
    where e.tenant_id = i.tenant_id and e.type = i.type and e.logged_at >= i.given
      and right(e.event_id::text, 23) = right(i.event_id::text, 23)
    limit 1
  ) e`

/** The durable entries of these events, with their instants. */
export async function durableEntries(
  read: Database['read'],
  events: readonly NewEvent[],
): Promise<ReadonlyMap<NewEvent, Date>> {
  const rows = await read<{ place: number; logged_at: Date }>(entriesOf, [
    events.map(({ tenantId }) => tenantId),
    events.map(({ type }) => type),
    events.map(({ recordedAt }) => recordedAt),
    events.map(({ id }) => id),
  ])
  return foundResults(events, rows, (_event, { logged_at: loggedAt }) => loggedAt)
}
