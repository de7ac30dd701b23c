import { tenantEventTypes, usdt } from '@quipu/core'
import { byNameOnlyEventTypes } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsHappen, eventsOf, everything, newEndpoint, newReceiver, recordAll } from '../test/deliveries.fixture.ts'
import { fundingEventTypes } from '../event/funding-event-types.ts'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'
import { postgresStores } from '../stores.ts'

// Guarantees of the SQL functions of deliveries, whatever their callers do.

let harness: StoreHarness
beforeEach(async () => {
  harness = await openStoreHarness()
})
afterEach(() => harness.close())

const delivered = { type: 'delivered' } as const

test('one signal for many tenants makes the events of all their endpoints due', async () => {
  const receivers = [await newReceiver(harness), await newReceiver(harness), await newReceiver(harness)]
  const silent = await harness.newWallet(usdt(0n))
  const tenants = [...receivers.map(([tenantId]) => tenantId), silent]
  for (const tenantId of tenants) await harness.sql(eventsOf('deposit.pending'), [tenantId, 1])
  await harness.sql('delete from quipu.delivery_signal')
  await harness.sql('insert into quipu.delivery_signal (tenant_ids) values ($1)', [tenants])
  const claimed = await harness.stores.deliveries.claimDue(everything)
  expect(claimed.map(({ tenantId, claim }) => [tenantId, claim.endpointId]).toSorted()).toEqual(
    receivers.map((each) => [...each]).toSorted(),
  )
  expect(await harness.sql('select from quipu.delivery_signal')).toEqual([])
})

test('a signal for a cursor that another claim has locked is kept for the next claim', async () => {
  const [tenantId] = await newReceiver(harness)
  const claimer = new pg.Client(harness.stores.url)
  await claimer.connect()
  await harness.sql(eventsHappen, [tenantId, 1])
  await claimer.query('begin')
  await claimer.query(`select from quipu.claim_deliveries(9, 60, 9, 9, false, 50, true, '', true, null)`)
  await harness.sql(eventsHappen, [tenantId, 1])
  expect(await harness.stores.deliveries.claimDue(everything)).toEqual([])
  await claimer.query('commit')
  await claimer.end()
  expect(await harness.stores.deliveries.claimDue(everything)).toHaveLength(1)
})

test('events of payouts and deposits are claimed in the order of the log, by each endpoint’s filter', async () => {
  const [tenantId, all] = await newReceiver(harness)
  const some = await newEndpoint(harness, tenantId)
  const events = ['deposit.pending', 'payout.failed'] as const
  await harness.stores.webhooks.update(tenantId, some, { events }, someInstant)
  const mixed = [
    'deposit.pending',
    'payout.completed',
    'deposit.in_review',
    'payout.failed',
    'payout.completed',
  ] as const
  for (const type of [...mixed, ...mixed]) await harness.sql(eventsOf(type), [tenantId, 2])
  const claimed = await harness.stores.deliveries.claimDue(everything)
  const log = await harness.sql(
    'select seq, event_id, event_type from quipu.tenant_log where tenant_id = $1 order by seq',
    [tenantId],
  )
  const wanted = (rows: typeof log) => rows.map((row) => [row['event_id'], `{"seq":${String(row['seq'])}}`])
  const claimedBy = (id: string) =>
    claimed.flatMap(({ claim, body }) =>
      claim.endpointId === id ? [[claim.eventId, Buffer.from(body).toString()]] : [],
    )
  expect(claimedBy(all)).toEqual(wanted(log))
  expect(claimedBy(some)).toEqual(wanted(log.filter((row) => events.some((type) => type === row['event_type']))))
  expect(await harness.sql('select quipu.funding_event_types() as types')).toEqual([{ types: fundingEventTypes }])
  const byName = 'select array_agg(type) as types from unnest($1::text[]) type where not quipu.is_wanted(null, type)'
  expect(await harness.sql(byName, [tenantEventTypes])).toEqual([{ types: byNameOnlyEventTypes }])
})

test('a claim passes over paused endpoints, unless a resend is due there', async () => {
  const receivers = [await newReceiver(harness), await newReceiver(harness)]
  for (const [tenantId] of receivers) await harness.sql(eventsHappen, [tenantId, 1])
  await recordAll(harness.stores.deliveries, await harness.stores.deliveries.claimDue(everything), {
    type: 'retry',
    inMs: 0,
  })
  const visited = async () => {
    const rows = await harness.sql(`select quipu.next_due_endpoints('', null, 9, now() + interval '1 s') as ids`)
    return rows[0]?.['ids']
  }
  const [first = '', second = ''] = receivers.map(([, id]) => id).toSorted()
  expect(await visited()).toEqual([first, second])
  await harness.sql(`update quipu.webhook_endpoint set status = 'paused', paused_at = now() where id = $1`, [first])
  expect(await visited()).toEqual([second])
  await harness.sql(`update quipu.delivery_open set return_to = 'exhausted', ended_at = now() where endpoint_id = $1`, [
    first,
  ])
  expect(await visited()).toEqual([first, second])
})

test('an event whose id contains another instant is refused', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  for (const id of [`uuidv7()`, 'gen_random_uuid()'])
    await expect(
      harness.sql(
        `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, type, subject_id,
           event_id, body)
         values ($1, 1, '2026-01-01Z', now(), 'deposit.pending', 'dep_1', ${id}, '{}')`,
        [tenantId],
      ),
    ).rejects.toThrow(/event_id_of_its_instant/)
})

test('an event that is committed while its endpoint is removed leaves no row behind', async () => {
  const [tenantId, id] = await newReceiver(harness)
  const payer = new pg.Client(harness.stores.url)
  await payer.connect()
  await payer.query('begin')
  await payer.query(eventsHappen, [tenantId, 2])
  expect(await harness.stores.webhooks.remove(tenantId, id)).toBe(true)
  await payer.query('commit')
  await payer.end()
  expect(await harness.stores.webhooks.queued(tenantId, id)).toBe(0)
  expect(await harness.stores.deliveries.claimDue(everything)).toEqual([])
  for (const table of ['delivery_signal', 'delivery_cursor', 'delivery_run', 'delivery_open'])
    expect(await harness.sql(`select from quipu.${table}`)).toEqual([])
})

test('neither delivered attempts nor further failed ones update their endpoint', async () => {
  const [tenantId] = await newReceiver(harness)
  await harness.sql(eventsHappen, [tenantId, 8])
  const versions = () => harness.sql('select xmin, ctid from quipu.webhook_endpoint')
  const before = await versions()
  const claimed = await harness.stores.deliveries.claimDue(everything)
  const retry = { type: 'retry', inMs: 1_000 } as const
  await recordAll(harness.stores.deliveries, claimed.slice(0, 6), delivered)
  expect(await versions()).toEqual(before)
  await recordAll(harness.stores.deliveries, claimed.slice(6, 7), retry)
  const failing = await versions()
  await recordAll(harness.stores.deliveries, claimed.slice(7), retry)
  expect(await versions()).toEqual(failing)
})

test('a part of a run that one process has recorded is stale for another', async () => {
  const [tenantId, id] = await newReceiver(harness)
  await harness.sql(eventsHappen, [tenantId, 4])
  const claimed = await harness.stores.deliveries.claimDue(everything)
  await recordAll(harness.stores.deliveries, claimed.slice(0, 2), delivered)
  const other = postgresStores({ url: harness.stores.url })
  const again = await recordAll(other.deliveries, claimed.slice(0, 2), delivered)
  await other.close()
  expect(again).toEqual([{ type: 'stale' }, { type: 'stale' }])
  expect(await harness.stores.webhooks.queued(tenantId, id)).toBe(2)
})

test('registering an endpoint again under its id changes nothing', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  const id = await newEndpoint(harness, tenantId)
  await newEndpoint(harness, tenantId, id)
  expect((await harness.stores.webhooks.list(tenantId, { limit: 9 })).items).toHaveLength(1)
})
