import { type Payout, usdt } from '@quipu/core'
import { activityPayoutsMax, type AllEventsQuery, type PayoutOverviewQuery } from '@quipu/core/operator'
import { laterInstant, paidAnswer } from '@quipu/contracts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import type { Database, Query } from '../connection/database.ts'
import { scannedMax } from '../page.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { type Sql, sqlOf, useStoreHarness } from '../test/stores.fixture.ts'
import { postgresOverviewStore } from './overview-store.ts'

// How many rows the lists read among many payouts of many tenants. Their statements are planned while the
// tables are nearly empty, and the session keeps those plans.

const tenants = 50
const payoutsEach = 500
const limit = 10
const tables = '^(payout|quote|tenant|wallet|webhook|deposit|faucet|proposal|qr_|api_key|top_up|funding)'

const harness = useStoreHarness()
let client: pg.Client
let sql: Sql
let paid: Payout
let failed: Payout
beforeAll(async () => {
  client = new pg.Client(clientConfig({ url: harness.stores.url }))
  await client.connect()
  sql = sqlOf(client)
  paid = await settled('paid')
  failed = await settled('refused_payment')
  for (const query of cases.map(([query]) => query)) await overview.payouts(query)
  await overview.find(paid.id)
  await overview.payout(paid.id)
  await fillWithCopies()
})
afterAll(async () => {
  await client.end()
})

async function settled(how: 'paid' | 'refused_payment'): Promise<Payout> {
  const tenantId = await harness.newWallet(usdt(100n))
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n) }))
  const answer = how === 'paid' ? paidAnswer(payout) : ({ type: how } as const)
  await harness.stores.payouts.commit(harness.settleCommit(payout, answer))
  return payout
}

const query = (({ text, name }, values) =>
  client.query({ name, text, values: [...values] }).then(({ rows }) => rows)) as Query
const overview = postgresOverviewStore({ query, read: query, list: query, clockOverride: () => null } as Database)

const reads = (work: () => Promise<unknown>) => rowsReadBy(sql, tables, work)

/** Inserts copies of a row; `t` numbers their tenants, and `n` those of a tenant, in the order of time. */
const copies = (table: string, id: string, changed: string): string => `
  insert into quipu.${table} select c.*
  from quipu.${table} r cross join generate_series(1, $2::int) t cross join generate_series(1, $3::int) n
  cross join lateral jsonb_populate_record(r, jsonb_build_object(${changed})) c where r.${id} = $1
  order by n, t`

/** Copies the payouts for many tenants: each second one of a tenant is created and completed, each twentieth one fails. */
async function fillWithCopies(): Promise<void> {
  await sql(copies('tenant', 'id', `'id', r.id || t`), [paid.tenantId, tenants, 1])
  const owner = `'tenant_id', '${paid.tenantId}' || t`
  for (const [{ id }, outcome, everySeconds] of [
    [paid, 'completed', 1],
    [failed, 'failed', 20],
  ] as const) {
    const each = payoutsEach / everySeconds
    const at = `date_trunc('second', '${laterInstant.toISOString()}'::timestamptz) + make_interval(secs => n * ${everySeconds})`
    const copyId = `'${paid.id}-' || lpad((n * ${everySeconds})::text, 4, '0') || '-${outcome}-' || t`
    const ids = `'id', ${copyId}, 'transaction_id', ${copyId}, 'quote_id', uuidv7()`
    const payout = `${ids}, ${owner}, 'created_at', ${at}`
    await sql(copies('payout', 'id', payout), [id, tenants, each])
    const end = `'payout_id', ${copyId}, ${owner}, 'seq', r.seq + n,
      'ended_at', ${at}, 'event_id', quipu.uuid_at(uuidv7(), ${at})`
    await sql(copies('payout_end', 'payout_id', end), [id, tenants, each])
  }
  await sql(
    `insert into quipu.quote select c.*
     from quipu.quote q cross join quipu.payout p
     cross join lateral jsonb_populate_record(q, jsonb_build_object('id', p.quote_id, 'tenant_id', p.tenant_id)) c
     where q.id = $1 and p.id like 'po_%-%'`,
    [paid.quoteId],
  )
  // Autovacuum does this while rows are inserted.
  await sql(`select brin_summarize_new_values('quipu.payout_end_event')`)
}

const noCode = 'INSUFFICIENT_FUNDS'
const cases: readonly (readonly [PayoutOverviewQuery, number])[] = [
  [{ limit }, 15 * limit],
  [{ limit, status: 'processing' }, 15],
  [{ limit, isRaised: true }, 15],
  [{ limit, status: 'failed' }, 12 * limit],
  [{ limit, status: 'cancelled' }, 5],
  [{ limit, status: 'completed' }, 4 * scannedMax + 10 * limit],
  [{ limit, errorCode: noCode }, 4 * scannedMax + 10 * limit],
  [{ limit, networkPaymentId: 'np-0' }, 4 * scannedMax + 10 * limit],
]

test.each(cases)('payouts %j', async (query, most) => {
  expect(await reads(() => overview.payouts(query))).toBeLessThan(most)
})

test('the activity of all time reads as many payouts as it counts at most', async () => {
  const activity = () => overview.activity({ from: new Date(0), stepSeconds: 3_600 })
  expect(await reads(activity)).toBeLessThan(4 * activityPayoutsMax + 20)
  const { completeFrom, steps } = await activity()
  expect(completeFrom.getTime()).toBeGreaterThan(0)
  const counted = steps.flatMap(({ outcomes }) => Object.values(outcomes))
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(activityPayoutsMax)
})

test('reads one payout, and finds it, without reading the others', async () => {
  expect(await reads(() => overview.payout(paid.id))).toBeLessThan(20)
  expect(await reads(() => overview.find(paid.id))).toBeLessThan(20)
  const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  const mostOfNetwork = 4 * scannedMax + 20
  expect(await reads(() => overview.find(address))).toBeLessThan(mostOfNetwork)
  expect(await reads(() => overview.find('np-1'))).toBeLessThan(mostOfNetwork + limit * 10)
})

/** About the rows in 128 pages: a range of the index of events' ids. All payouts have more than six. */
const rowsOfRange = 4_000
test.each<readonly [Omit<AllEventsQuery, 'limit'>, number]>([
  // Two ranges, each read once.
  [{}, 2 * rowsOfRange],
  [{ type: 'payout.completed' }, 2 * rowsOfRange],
  [{ type: 'payout.failed' }, 3 * limit],
  [{ type: 'deposit.pending' }, 5],
])('events %j', async (query, most) => {
  expect(await reads(() => overview.events({ ...query, limit }))).toBeLessThan(most)
})

test.each([
  ['all', undefined],
  ['those up to an instant amid them', new Date(laterInstant.getTime() + 250_000)],
])('pages of events are the newest of %s, in order', async (_, to) => {
  const newest = await sql(
    `select event_id::text as id from quipu.payout_end
     where ended_at <= coalesce($1, 'infinity'::timestamptz) order by event_id desc limit 500`,
    [to],
  )
  const listed: string[] = []
  let after: AllEventsQuery['after']
  do {
    const query: AllEventsQuery = { limit: 100, ...(to && { to }), ...(after && { after }) }
    const { items, next } = await overview.events(query)
    listed.push(...items.map(({ id }) => id))
    after = next ?? undefined
  } while (after !== undefined && listed.length < newest.length)
  expect(listed).toEqual(newest.map(({ id }) => id))
})

test('finds the events of a payout, and an event, without reading the others', async () => {
  const events = overview.events({ subjectId: paid.id, limit })
  expect((await events).items).toHaveLength(1)
  expect(await reads(() => overview.events({ subjectId: paid.id, limit }))).toBeLessThan(10)
  const [event] = (await events).items
  expect(await reads(() => overview.event(event?.id ?? ''))).toBeLessThan(2 * rowsOfRange)
})
