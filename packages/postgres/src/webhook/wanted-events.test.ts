import { beforeAll, expect, test } from 'vitest'
import { fundingEventTypes } from '../event/funding-event-types.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { endpoints, filters, isWanted, logs, openEndpoints, wantedBy } from '../test/wanted-events.fixture.ts'

// The rows that functions read from a log by filters, compared with a search of all entries.

const harness = useStoreHarness()
beforeAll(() => openEndpoints(harness))

const pairs = <A, B>(first: readonly A[], second: readonly B[]): [A, B][] =>
  first.flatMap((a) => second.map((b): [A, B] => [a, b]))
const highFirst = <T extends { readonly id: string | null }>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => (String(a.id) < String(b.id) ? 1 : -1))
const newestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

test.each(pairs(filters, ['ten_1', 'ten_2'] as const))(
  'the next events of types %j of %s are in the order of the log',
  async (filter, tenantId) => {
    const log = logs[tenantId]
    const places = pairs([0, 2, 13, 14, 29, log.length], [1, 3, 100])
    const rows = await harness.sql(
      `select array(
         select n.seq || ' ' || n.event_type || ' ' || n.event_id || ' ' || convert_from(n.body, 'UTF8')
           || ' ' || (extract(epoch from n.logged_at) * 1000)::bigint
         from quipu.next_events($1, $2, l.logged_at, p.after, p.most) n) as found
       from unnest($3::int[], $4::int[]) with ordinality p (after, most, place)
       cross join lateral (select coalesce(
         (select logged_at from quipu.tenant_log l where l.seq = p.after and l.tenant_id = $1), '-infinity'
       )) l (logged_at)
       order by p.place`,
      [tenantId, filter, places.map(([after]) => after), places.map(([, most]) => most)],
    )
    const expected = places.map(([after, most]) =>
      log
        .filter(({ seq, id, type }) => id !== null && seq > after && isWanted(filter, type))
        .slice(0, most)
        .map(({ seq, type, id, body, at }) => `${seq} ${type} ${id} ${body} ${at.getTime()}`),
    )
    expect(rows.map(({ found }) => found)).toEqual(expected)
  },
)

test.each(pairs(filters, ['ten_1', 'ten_2'] as const))(
  'events of types %j of %s are counted between two positions',
  async (filter, tenantId) => {
    const log = logs[tenantId]
    const places = pairs([0, 2, 13], [13, 14, 15, log.length])
    const rows = await harness.sql(
      `select quipu.count_events($1, $2, coalesce(a.logged_at, '-infinity'), p.after, u.logged_at, p.until)::int as count
       from unnest($3::int[], $4::int[]) with ordinality p (after, until, place)
       left join quipu.tenant_log a on a.tenant_id = $1 and a.seq = p.after
       join quipu.tenant_log u on u.tenant_id = $1 and u.seq = p.until
       order by p.place`,
      [tenantId, filter, places.map(([after]) => after), places.map(([, until]) => until)],
    )
    const expected = places.map(
      ([after, until]) =>
        log.slice(after, until).filter(({ id, type }) => id !== null && isWanted(filter, type)).length,
    )
    expect(rows.map(({ count }) => count)).toEqual(expected)
  },
)

test.each(endpoints)('what is pending past the cursor of $id is found by event', async (endpoint) => {
  const others = Object.values(logs).flatMap((log) => log.flatMap(({ id }) => id ?? []))
  const rows = await harness.sql(
    `select e.id, p.seq::int, p.event_type as type, p.logged_at as at
     from quipu.delivery_cursor c cross join unnest($2::uuid[]) with ordinality e (id, place)
     cross join lateral quipu.pending_event(c, e.id) p
     where c.endpoint_id = $1 order by e.place`,
    [endpoint.id, others],
  )
  expect(rows).toEqual(wantedBy(endpoint).map(({ id, seq, type, at }) => ({ id, seq, type, at })))
})

test.each(endpoints)('what is pending past the cursor of $id is counted', async (endpoint) => {
  const [row] = await harness.sql('select quipu.count_past_cursor($1)::int as count', [endpoint.id])
  expect(row).toEqual({ count: wantedBy(endpoint).length })
})

test.each(endpoints)('pages of what is pending past the cursor of $id', async (endpoint) => {
  const { tenantId } = endpoint
  const starts = [
    { id: newestId, at: 'infinity' as const },
    ...[13, 14, 15, 25, 26, 27].flatMap((seq) => logs[tenantId][seq - 1] ?? []),
  ].filter(({ id }) => id !== null)
  const places = pairs(starts, [1, 2, 5, 100])
  const rows = await harness.sql(
    `select array(
       select p.event_id || ' ' || p.event_type || ' ' || (extract(epoch from p.recorded_at) * 1000)::bigint
       from quipu.pending_page(c, e.events, s.id, s.at, s.most) p) as found
     from quipu.delivery_cursor c join quipu.webhook_endpoint e on e.id = c.endpoint_id
     cross join unnest($2::uuid[], $3::timestamptz[], $4::int[]) with ordinality s (id, at, most, place)
     where c.endpoint_id = $1 order by s.place`,
    [endpoint.id, places.map(([{ id }]) => id), places.map(([{ at }]) => at), places.map(([, most]) => most)],
  )
  const expected = places.map(([{ id: before }, most]) =>
    highFirst(wantedBy(endpoint))
      .filter(({ id }) => String(id) < String(before))
      .slice(0, most)
      .map(({ id, type, at }) => `${id} ${type} ${at.getTime()}`),
  )
  expect(rows.map(({ found }) => found)).toEqual(expected)
})

test.each(endpoints)('rows past a position of the log of $id are counted', async (endpoint) => {
  const { id, tenantId, own } = endpoint
  const log = logs[tenantId]
  const places = [0, 12, 13, 21, 22, 25, 26, 29]
  const rows = await harness.sql(
    `select quipu.count_ahead($1, $2, coalesce(l.logged_at, '-infinity'), p.after)::int as count
     from unnest($3::int[]) with ordinality p (after, place)
     left join quipu.tenant_log l on l.tenant_id = $2 and l.seq = p.after
     order by p.place`,
    [id, tenantId, places],
  )
  const expected = places.map((after) => own.filter((seq) => seq > after && log[seq - 1]?.id).length)
  expect(rows.map(({ count }) => count)).toEqual(expected)
})

test('SQL has the types of events of the same table', async () => {
  expect(await harness.sql('select quipu.funding_event_types() as types')).toEqual([{ types: fundingEventTypes }])
})
