import { usdt } from '@quipu/core'
import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { newEndpoint } from '../test/deliveries.fixture.ts'
import { insertLog, type LogEntry, uuidOf } from '../test/event-log.fixture.ts'

// Deliveries of `delivered_run`, compared with a search of all.

const start = Date.parse('2026-05-01T11:00:00.000Z')

/** The instants of entries 1 to 142: a run of two ends at the instant of the next run, which has two parts. */
const msOf = (seq: number): number => {
  if (seq <= 71) return seq
  if (seq <= 74) return 72
  if (seq === 75) return 73
  return seq <= 139 ? 74 : 75
}
const entriesOf = (tenant: number): LogEntry[] =>
  Array.from({ length: 142 }, (_, i) => {
    const at = new Date(start + msOf(i + 1))
    const id = uuidOf(at, tenant * 1000 + 999 - i)
    return { seq: i + 1, at, id, type: 'payout.completed', body: `${tenant}-${i + 1}` }
  })
const logs = { ten_1: entriesOf(1), ten_2: entriesOf(2) } as const
type TenantId = keyof typeof logs

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Parts of the runs of each endpoint, as their entries. A part is numbered by how many events were left. */
type Part = { readonly first: number; readonly part: number; readonly seqs: readonly number[] }
const ofSize = (size: number): Part[] =>
  range(0, Math.ceil(141 / size) - 1).map((i) => ({
    first: i * size + 1,
    part: 0,
    seqs: range(i * size + 1, Math.min((i + 1) * size, 141)),
  }))
const parts: Readonly<Record<string, { tenantId: TenantId; parts: readonly Part[] }>> = {
  we_a: {
    tenantId: 'ten_1',
    parts: [
      ...range(1, 70).map((first) => ({ first, part: 0, seqs: [first] })),
      { first: 71, part: 0, seqs: [71, 72] },
      { first: 73, part: 1, seqs: [73] },
      { first: 73, part: 0, seqs: [74] },
      // Each of 64 events was recorded alone.
      ...range(75, 138).map((seq) => ({ first: 75, part: 138 - seq, seqs: [seq] })),
      { first: 139, part: 1, seqs: [140] },
      { first: 139, part: 0, seqs: [139, 141] },
    ],
  },
  we_b: { tenantId: 'ten_1', parts: ofSize(10) },
  we_c: { tenantId: 'ten_2', parts: ofSize(3) },
}

const harness = useStoreHarness()
beforeAll(async () => {
  for (const tenantId of ['ten_1', 'ten_2'] as const) {
    await harness.newWallet(usdt(0n), { id: tenantId })
    await insertLog(harness.sql, tenantId, logs[tenantId])
  }
  for (const [id, { tenantId, parts: rows }] of Object.entries(parts)) {
    await newEndpoint(harness, tenantId, id)
    await harness.sql(
      `insert into quipu.delivered_run (endpoint_id, tenant_id, first_seq, first_at, part, ended_at, event_ids,
         attempted_at, status_codes, latencies_ms, excerpts)
       select $1, $2, p.first, f.logged_at, p.part, f.logged_at + interval '1 minute',
         array_agg(l.event_id order by s.place),
         array_agg(l.logged_at + l.seq * interval '1 second' order by s.place),
         array_agg(200 + l.seq % 3 order by s.place), array_agg(l.seq order by s.place),
         case when p.part = 0 then array_agg('text of ' || l.seq order by s.place) end
       from jsonb_to_recordset($3) p (first bigint, part int, seqs int[])
       join quipu.tenant_log f on f.tenant_id = $2 and f.seq = p.first
       cross join lateral unnest(p.seqs) with ordinality s (seq, place)
       join quipu.tenant_log l on l.tenant_id = $2 and l.seq = s.seq
       group by p.first, p.part, f.logged_at`,
      [id, tenantId, JSON.stringify(rows)],
    )
  }
})

const ids = Object.keys(parts)
const partsOf = (id: string) => parts[id] ?? { tenantId: 'ten_1' as const, parts: [] }

/** The deliveries of an endpoint, newest first, as the function describes them. */
const deliveredTo = (id: string): { readonly id: string; readonly text: string }[] => {
  const { tenantId, parts: rows } = partsOf(id)
  const entryOf = (seq: number) => logs[tenantId][seq - 1]
  const found = rows.flatMap(({ first, part, seqs }) =>
    seqs.map((seq) => {
      const entry = entryOf(seq)
      const ended = Number(entryOf(first)?.at) + 60_000
      const attempted = Number(entry?.at) + seq * 1000
      const excerpt = part === 0 ? `text of ${seq}` : ''
      const text = [entry?.id, ended, attempted, 200 + (seq % 3), seq, excerpt].join(' ')
      return { id: String(entry?.id), text }
    }),
  )
  return found.toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

test.each(ids)('pages of what was delivered to %s', async (id) => {
  const log = logs[partsOf(id).tenantId]
  const starts = [1, 2, 72, 73, 74, 75, 76, 100, 138, 139, 140].flatMap((seq) => log[seq - 1] ?? [])
  const all = [...starts, { id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', at: 'infinity' }]
  const places = all.flatMap((before) => [1, 2, 5, 80].map((most) => ({ ...before, most })))
  const rows = await harness.sql(
    `select array(
       select concat_ws(' ', p.event_id, (extract(epoch from p.ended_at) * 1000)::bigint,
         (extract(epoch from p.attempted_at) * 1000)::bigint, p.status_code, p.latency_ms, coalesce(p.excerpt, ''))
       from quipu.delivered_page($1, s.id, s.at, s.most) p) as found
     from unnest($2::uuid[], $3::timestamptz[], $4::int[]) with ordinality s (id, at, most, place)
     order by s.place`,
    [id, places.map((place) => place.id), places.map((place) => place.at), places.map((place) => place.most)],
  )
  const expected = places.map((before) =>
    deliveredTo(id)
      .filter((each) => each.id < String(before.id))
      .slice(0, before.most)
      .map(({ text }) => text),
  )
  expect(rows.map(({ found }) => found)).toEqual(expected)
})

test.each(ids)('the part in which an event was delivered to %s is found', async (id) => {
  const { tenantId, parts: rows } = partsOf(id)
  const events = [...logs.ten_1, ...logs.ten_2].map((entry) => entry.id)
  const found = await harness.sql(
    `select e.id, r.endpoint_id, r.first_seq::int as first, r.part
     from unnest($2::uuid[]) with ordinality e (id, place)
     cross join lateral quipu.delivered_in_run($1, e.id) r order by e.place`,
    [id, events],
  )
  const expected = logs[tenantId].flatMap((entry) => {
    const at = rows.find(({ seqs }) => seqs.includes(entry.seq))
    return at ? [{ id: entry.id, endpoint_id: id, first: at.first, part: at.part }] : []
  })
  expect(found).toEqual(expected)
})
