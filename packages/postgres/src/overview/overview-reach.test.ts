import { type Payout, usdt } from '@quipu/core'
import {
  activityPayoutsMax,
  type AllEventsQuery,
  type PayoutOverviewQuery,
} from '@quipu/core/operator'
import { paidAnswer } from '@quipu/contracts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import type { Database, Query } from '../connection/database.ts'
import { scannedMax } from '../page.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { openStoreHarness, type Sql, sqlOf, type StoreHarness } from '../test/stores.fixture.ts'
import { postgresOverviewStore } from './overview-store.ts'

// How many rows the lists read among many payouts of many tenants. Their statements are planned while the
// tables are nearly empty, and the session keeps those plans.

const tenants = 50
const payoutsEach = 500
const limit = 10
const tables =
  '^(payout|quote|tenant|wallet|webhook|deposit|faucet|proposal|qr_|api_key|top_up|funding)'

let harness: StoreHarness
let client: pg.Client
let sql: Sql
let paid: Payout
let failed: Payout
beforeAll(async () => {
  harness = await openStoreHarness()
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
  await harness.close()
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
const overview = postgresOverviewStore({
  query,
  read: query,
  clockOverride: () => null,
} as Database)

const reads = (work: () => Promise<unknown>) => rowsReadBy(sql, tables, work)

/** Inserts copies of a row; `t` numbers their tenants, and `n` those of a tenant. */
const copies = (table: string, id: string, changed: string): string => `
  insert into quipu.${table} select c.*
  from quipu.${table} r cross join generate_series(1, $2::int) t cross join generate_series(1, $3::int) n
  cross join lateral jsonb_populate_record(r, jsonb_build_object(${changed})) c where r.${id} = $1`

/** Copies the payouts for many tenants: for each failed one, twenty are completed. */
async function fillWithCopies(): Promise<void> {
  await sql(copies('tenant', 'id', `'id', r.id || t`), [paid.tenantId, tenants, 1])
  const owner = `'tenant_id', '${paid.tenantId}' || t`
  const suffix = `'-' || t || '-' || n`
  const ids = `'id', r.id || ${suffix}, 'transaction_id', r.id || ${suffix}, 'quote_id', uuidv7()`
  for (const [{ id }, each, ms] of [
    [paid, payoutsEach, 0],
    [failed, payoutsEach / 20, 0.5],
  ] as const) {
    const at = `date_trunc('second', r.ended_at) + make_interval(secs => n + ${ms})`
    await sql(copies('payout', 'id', `${ids}, ${owner}`), [id, tenants, each])
    const end = `'payout_id', r.payout_id || ${suffix}, ${owner}, 'seq', r.seq + n,
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
}

const noCode = 'INSUFFICIENT_FUNDS'
const cases: readonly (readonly [PayoutOverviewQuery, number])[] = [
  [{ limit }, 15 * limit],
  [{ limit, status: 'processing' }, 15],
  [{ limit, isRaised: true }, 15],
  [{ limit, status: 'failed' }, 4 * tenants + 2 * limit * limit + 12 * limit],
  [{ limit, status: 'cancelled' }, 3 * tenants],
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
  // The keys of addresses and of the log begin with the tenant.
  const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  const mostOfNetwork = 4 * scannedMax + 20
  expect(await reads(() => overview.find(address))).toBeLessThan(2 * tenants + mostOfNetwork)
  expect(await reads(() => overview.find('np-1'))).toBeLessThan(mostOfNetwork + limit * 10)
})

const ofEachTenant = 5 * tenants + 3 * limit * limit + 5 * limit
test.each<readonly [Omit<AllEventsQuery, 'limit'>, number]>([
  [{}, ofEachTenant],
  [{ type: 'payout.completed' }, ofEachTenant],
  [{ type: 'payout.failed' }, ofEachTenant],
  [{ type: 'deposit.pending' }, 4 * tenants],
])('events %j', async (query, most) => {
  expect(await reads(() => overview.events({ ...query, limit }))).toBeLessThan(most)
})

test('finds the events of a payout, and an event, without reading the others', async () => {
  const events = overview.events({ subjectId: paid.id, limit })
  expect((await events).items).toHaveLength(1)
  expect(await reads(() => overview.events({ subjectId: paid.id, limit }))).toBeLessThan(10)
  const [event] = (await events).items
  expect(await reads(() => overview.event(event?.id ?? ''))).toBeLessThan(5 * tenants)
})
