import { defaultEndpointPolicy, usdt } from '@quipu/core'
import { someInstant } from '@quipu/contracts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import { deliveryListStatements } from './delivery-list.ts'
import { eventsHappen, newEndpoint, newReceiver } from '../test/deliveries.fixture.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { type StoreHarness, openStoreHarness, sqlOf } from '../test/stores.fixture.ts'

// How many rows the functions read while an endpoint has a backlog. They are planned while the tables are
// nearly empty, and the session keeps those plans.

const backlog = 100_000
const others = 50

const claim = `
  select endpoint_id, unnest(event_ids) as event_id, fencing_token, run_seq
  from quipu.claim_deliveries(200, 60, 8, 1000, false, 50, true, '', true, null)`
/** Claims five of the first endpoint, which may have more deliveries leased at once than with `claim`. */
const claimOfFirst = `
  select endpoint_id, unnest(event_ids) as event_id, fencing_token
  from quipu.claim_deliveries(5, 60, 100, 1000, false, 50, true, '', true, null)`
const claimSlow = `
  select endpoint_id from quipu.claim_deliveries(200, 60, 8, 1000, true, 50, true, '', true, null)`
const enqueue = 'select endpoint_id from quipu.claim_deliveries(200, 60, 8, 1000, false, 50, false, $1, true, null)'
const record = `
  select quipu.record_attempts($2, $3, $4, array_agg('{}'::text), array_agg($1::text),
    array_agg(3600000::float8), array_agg(false), array_agg(5), array_agg(900), null) from unnest($3::uuid[])`
const recordRun = `
  select quipu.record_runs(array[$1], array[$2::bigint], '{1}', array[$3::uuid], array[now()], '{204}',
    '{7}', array[null::text], null) as recorded`

let harness: StoreHarness
let client: pg.Client
let busy: string
let tenantId: string
let quiet: string[]

/** @param found how many deliveries there are when their table is analyzed */
async function openWithBacklog(found: 0 | 1): Promise<void> {
  harness = await openStoreHarness()
  quiet = []
  client = new pg.Client(clientConfig({ url: harness.stores.url }))
  await client.connect()
  const analyze = () =>
    harness.sql(`vacuum analyze quipu.delivery_open, quipu.delivery_run, quipu.delivery_cursor,
    quipu.webhook_endpoint, quipu.payout_end`)
  if (found === 0) await analyze()
  const [first, id] = await newReceiver(harness)
  for (const decision of ['retry', 'delivered', 'exhausted']) {
    await client.query(eventsHappen, [first, 1])
    if (found === 1) await analyze()
    const { rows } = await client.query<ClaimRow>(claim)
    await client.query(record, [decision, ...columnsOf(rows)])
  }
  await client.query(eventsHappen, [first, 1])
  for (const row of (await client.query<ClaimRow>(claim)).rows) await client.query(recordRun, runOf(row))
  await client.query(enqueue, [''])
  await client.query(claimSlow)
  await harness.stores.webhooks.remove(first, id)
  await client.query(enqueue, [''])
  if (found === 0) await analyze()

  tenantId = await harness.newWallet(usdt(0n))
  busy = await newEndpoint(harness, tenantId)
  for (let n = 0; n < others; n++) {
    const [other, quietId] = await newReceiver(harness)
    quiet.push(quietId)
    await client.query(eventsHappen, [other, 1])
  }
  await client.query(eventsHappen, [tenantId, backlog])
}

type ClaimRow = {
  readonly endpoint_id: string
  readonly event_id: string
  readonly fencing_token: number
  readonly run_seq: bigint
}
const columnsOf = (rows: readonly ClaimRow[]) => [
  rows.map((row) => row.endpoint_id),
  rows.map((row) => row.event_id),
  rows.map((row) => row.fencing_token),
]
const runOf = (row: ClaimRow | undefined) => [row?.endpoint_id, row?.run_seq, row?.event_id]

/** How many rows of deliveries and events the work reads. */
const reach = (work: () => Promise<unknown>): Promise<number> =>
  rowsReadBy(sqlOf(client), '^(deliver|endpoint_filter|payout_end|funding_entry)', work)

describe.each([
  ['nothing', 0],
  ['one delivery', 1],
] as const)(`with plans for %s, while an endpoint has a backlog of ${backlog}`, (_, found) => {
  let claimed: readonly ClaimRow[]
  let readByClaim: number
  beforeAll(async () => {
    await openWithBacklog(found)
    readByClaim = await reach(async () => {
      ;({ rows: claimed } = await client.query<ClaimRow>(claim))
    })
  })
  afterAll(async () => {
    await client.end()
    await harness.close()
  })

  test('a claim also serves every other endpoint, and reads little more than it takes', () => {
    expect(new Set(claimed.map((row) => row.endpoint_id))).toEqual(new Set([busy, ...quiet]))
    expect(claimed).toHaveLength(8 + others)
    expect(readByClaim).toBeLessThan(30 * (1 + others))
  })

  test('a claim for slow endpoints reads no row when no endpoint is slow', async () => {
    const rows = await rowsReadBy(sqlOf(client), '^(deliver|webhook|payout_end|funding_entry)', () =>
      client.query(claimSlow),
    )
    expect(rows).toBe(0)
  })

  test.each([
    ['retry', 0],
    ['delivered', 3],
    ['exhausted', 6],
  ] as const)('recording attempts reads only their own rows (%s)', async (decision, first) => {
    const mine = claimed.slice(first, first + 3)
    const rows = await reach(() => client.query(record, [decision, ...columnsOf(mine)]))
    expect(rows).toBeLessThan(30)
  })

  test('recording a part of a run reads only its run', async () => {
    const [row] = claimed.slice(-1)
    const rows = await reach(async () => {
      const answer = await client.query<{ recorded: boolean[] }>(recordRun, runOf(row))
      expect(answer.rows[0]?.recorded).toEqual([true])
    })
    expect(rows).toBeLessThan(10)
  })

  test('claiming by name and requeuing read only their own rows', async () => {
    const { rows: enqueued } = await client.query<ClaimRow>(
      `select endpoint_id, unnest(event_ids) as event_id, fencing_token
       from quipu.claim_deliveries(3, 60, 100, 1000, false, 50, false, '', true, null)`,
    )
    expect(enqueued).toHaveLength(3)
    const [endpointIds, eventIds] = columnsOf(enqueued)
    const first = enqueued[0]
    const rows = await reach(async () => {
      const ref = [first?.endpoint_id, first?.event_id]
      await client.query('select quipu.claim_delivery($1, $2, 60, null)', ref)
      await client.query('select quipu.requeue_deliveries($1, $2, null)', [endpointIds, eventIds])
    })
    expect(rows).toBeLessThan(50)
  })

  test.each(deliveryListStatements.filter(({ name }) => name.startsWith('delivery.list')))(
    'a page of $name reads little more than it shows',
    async (statement) => {
      const last = ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'infinity', 51]
      const rows = await reach(() => client.query({ ...statement, values: [tenantId, busy, ...last] }))
      expect(rows).toBeLessThan(1_000)
    },
  )

  test('counting queued deliveries does not read them', async () => {
    let counted: readonly { n: number }[] = []
    const rows = await reach(async () => {
      ;({ rows: counted } = await client.query<{ n: number }>('select quipu.count_queued($1)::int as n', [busy]))
    })
    expect(counted[0]?.n).toBeGreaterThan(backlog - 10)
    expect(rows).toBeLessThan(50)
  })

  test('logging events reads no rows of deliveries', async () => {
    const silent = await harness.newWallet(usdt(0n))
    expect(await reach(() => client.query(eventsHappen, [silent, 64]))).toBe(0)
    expect(await reach(() => client.query(eventsHappen, [tenantId, 64]))).toBe(0)
  })

  test('a pause and a reactivation move no rows of deliveries that are due anyway', async () => {
    const { rows: mine } = await client.query<ClaimRow>(claimOfFirst)
    await client.query(record, ['retry', ...columnsOf(mine.slice(0, 3))])
    await client.query(record, ['exhausted', ...columnsOf(mine.slice(3, 5))])
    await harness.sql(`update quipu.webhook_endpoint set status = 'paused', paused_at = now() where id = $1`, [busy])
    const done = await harness.stores.webhooks.reactivate(tenantId, busy, defaultEndpointPolicy, someInstant)
    if (!done || done === 'paused_by_operator') throw new Error(`not reactivated: ${done}`)
    expect(done.requeued).toBeGreaterThan(backlog - 10)
    const moved = await harness.sql(
      `select from quipu.delivery_open d join quipu.webhook_endpoint w on d.xmin = w.xmin`,
    )
    // Three retries that were due later and two exhausted deliveries, and as many of the tests above.
    expect([5, 10]).toContain(moved.length)
  })
})
