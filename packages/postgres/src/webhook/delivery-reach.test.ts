import { defaultEndpointPolicy, usdt } from '@quipu/core'
import { someInstant } from '@quipu/core/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import { claimStatements } from './delivery-claims.ts'
import { eventsHappen, newEndpoint, newReceiver } from './deliveries.fixture.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { type Bench, openBench, sqlOf } from '../test/stores.fixture.ts'

// How many rows the functions read when an endpoint has a backlog: theirs, however long it is. They
// are planned while there is hardly anything, and keep those plans.

const backlog = 100_000
const others = 50

const claim = `
  select endpoint_id, event_id, fence
  from quipu.claim_deliveries(200, 60, 8, false, 50, true, '', null, 1000)`
const claimSlow = `select endpoint_id from quipu.claim_deliveries(200, 60, 8, true, 50, true, '', null, 1000)`
const handOut =
  'select endpoint_id from quipu.claim_deliveries(200, 60, 8, false, 50, false, $1, null, 1000)'
const record = `
  select streaks from quipu.record_attempts(array(
    select row(d.endpoint_id, d.event_id, d.fence, '{}', $1, 1000, false, 5)::quipu.attempt_record
    from unnest($2::text[], $3::uuid[], $4::int[]) d (endpoint_id, event_id, fence)
  ), false, null)`

let bench: Bench
let client: pg.Client
let busy: string
let tenantId: string
let quiet: string[]

/** @param found  how many deliveries there are when their table is analyzed, before it is made use of */
async function openWithBacklog(found: 0 | 1): Promise<void> {
  bench = await openBench()
  quiet = []
  client = new pg.Client(clientConfig({ url: bench.stores.url }))
  await client.connect()
  const analyze = () => bench.sql('vacuum analyze quipu.delivery_open, quipu.webhook_endpoint')
  if (found === 0) await analyze()
  const [first, id] = await newReceiver(bench)
  for (const verdict of ['retry', 'delivered', 'exhausted']) {
    await client.query(eventsHappen, [first, 1])
    if (found === 1) await analyze()
    const { rows } = await client.query<ClaimRow>(claim)
    await client.query(record, [verdict, ...columnsOf(rows)])
  }
  await client.query(handOut, [''])
  await client.query(claimSlow)
  await bench.stores.webhooks.remove(first, id)
  await client.query(handOut, [''])
  if (found === 0) await analyze()

  tenantId = await bench.newWallet(usdt(0n))
  busy = await newEndpoint(bench, tenantId)
  for (let n = 0; n < others; n++) {
    const [other, quietId] = await newReceiver(bench)
    quiet.push(quietId)
    await client.query(eventsHappen, [other, 1])
  }
  await client.query(eventsHappen, [tenantId, backlog])
}

type ClaimRow = { readonly endpoint_id: string; readonly event_id: string; readonly fence: number }
const columnsOf = (rows: readonly ClaimRow[]) => [
  rows.map((row) => row.endpoint_id),
  rows.map((row) => row.event_id),
  rows.map((row) => row.fence),
]

/** How many rows of the deliveries and events the work has read. */
const reach = (work: () => Promise<unknown>): Promise<number> =>
  rowsReadBy(sqlOf(client), '^(delivery|event)', work)

describe.each([
  ['nothing', 0],
  ['one delivery', 1],
] as const)(`with plans for %s, while an endpoint has a backlog of ${backlog}`, (_, found) => {
  let claimed: readonly ClaimRow[]
  beforeAll(() => openWithBacklog(found))
  afterAll(async () => {
    await client.end()
    await bench.close()
  })

  test('a claim serves every other endpoint too, and reads little more than it takes', async () => {
    const rows = await reach(async () => {
      ;({ rows: claimed } = await client.query<ClaimRow>(claim))
    })
    expect(new Set(claimed.map((row) => row.endpoint_id))).toEqual(new Set([busy, ...quiet]))
    expect(claimed).toHaveLength(8 + others)
    expect(rows).toBeLessThan(500)
  })

  test('a claim for slow endpoints reads nothing while there is none', async () => {
    const rows = await rowsReadBy(sqlOf(client), '^(delivery|event|webhook)', () =>
      client.query(claimSlow),
    )
    expect(rows).toBe(0)
  })

  test.each(['retry', 'delivered', 'exhausted'])(
    'records of attempts read the rows that they are about (%s)',
    async (verdict) => {
      const mine = claimed.slice(0, 3)
      claimed = claimed.slice(3)
      const rows = await reach(() => client.query(record, [verdict, ...columnsOf(mine)]))
      expect(rows).toBeLessThan(30)
    },
  )

  test('a claim by name, and what is taken back, reads its own row', async () => {
    const { rows: handed } = await client.query<ClaimRow>(
      `select * from quipu.claim_deliveries(3, 60, 100, false, 50, false, '', null, 1000)`,
    )
    expect(handed).toHaveLength(3)
    const [endpointIds, eventIds] = columnsOf(handed)
    const [claimOne, takeBack] = claimStatements
    if (!claimOne || !takeBack) throw new Error('two statements')
    const first = handed[0]
    const rows = await reach(async () => {
      const values = [first?.endpoint_id, first?.event_id, 60, null]
      await client.query({ ...claimOne, values })
      await client.query({ ...takeBack, values: [endpointIds, eventIds, null] })
    })
    expect(rows).toBeLessThan(30)
  })

  test('events of a tenant without endpoints read none, and others only write', async () => {
    const silent = await bench.newWallet(usdt(0n))
    expect(await reach(() => client.query(eventsHappen, [silent, 64]))).toBe(0)
    expect(await reach(() => client.query(eventsHappen, [tenantId, 64]))).toBe(0)
  })

  test('a pause and a reactivation move nothing that is due anyway', async () => {
    await bench.sql(
      `update quipu.webhook_endpoint set status = 'paused', paused_at = now() where id = $1`,
      [busy],
    )
    const done = await bench.stores.webhooks.reactivate(
      tenantId,
      busy,
      defaultEndpointPolicy,
      someInstant,
    )
    expect(done?.requeued).toBeGreaterThan(backlog - 10)
    const moved = await bench.sql(
      `select from quipu.delivery_open d join quipu.webhook_endpoint w on d.xmin = w.xmin`,
    )
    // Three that were to be tried again later, and two that have run out of attempts.
    expect(moved).toHaveLength(5)
  })
})
