import { expect, test } from 'vitest'
import { until } from './process.fixture.ts'
import { openWebhookWorld, type WebhookTenant, type WebhookWorld } from './webhook-world.fixture.ts'

const backlog = 100_000
const exhausted = 1_000
const told = 2_000
const leaseSeconds = 3
const atOnce = 64

const tenants = 'select tenant_id as id from quipu.webhook_endpoint'

/** So many events of a tenant's, at this age. Their deliveries are made by the database. */
const happened = `
  with made as materialized (select uuidv7(-$3::interval) as id from generate_series(1, $2::int))
  insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
  select $1, id, 'payout.completed', 'po_' || id,
    convert_to(json_build_object('id', id, 'type', 'payout.completed')::text, 'UTF8'),
    uuid_extract_timestamp(id), uuid_extract_timestamp(id)
  from made`

const ranOut = `
  with ended as (delete from quipu.delivery_open returning *)
  insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
    ended_at, fence, has_paused, attempts)
  select endpoint_id, event_id, tenant_id, event_type, recorded_at, 'exhausted', recorded_at, 8,
    false, '{}'
  from ended`

/** As the fifth in a row that ran out of attempts leaves it, with half of the rest to be retried. */
const paused = `
  update quipu.webhook_endpoint set status = 'paused', streak = 5, paused_at = clock_timestamp()`
const retried = `
  update quipu.delivery_open
  set attempt = 3, fence = 3, recorded_fence = 3, next_at = clock_timestamp() + interval '30 minutes'
  where right(event_id::text, 1) < '8'`

const standing = `
  select w.status, w.streak, w.round,
    (select count(*)::int from quipu.delivery_open) as open,
    (select count(*)::int from quipu.delivery_open where next_at > clock_timestamp()) as later,
    (select count(*)::int from quipu.delivery where status = 'exhausted') as exhausted
  from quipu.webhook_endpoint w`

const leased = 'select event_id as id from quipu.delivery_open where is_leased'
const deliveredEvents = `
  select e.id, e.body from quipu.event e join quipu.delivery d on d.event_id = e.id
  where d.status = 'delivered'`
const reactivating = `
  select 1 from pg_stat_activity
  where datname = current_database() and query like '%reactivate_endpoint%'
    and pid <> pg_backend_pid()`

/** Neither due, nor with a worker for at most a lease from now. */
const stuck = `
  select event_id, next_at, out_until from quipu.delivery_open
  where next_at > clock_timestamp() + make_interval(secs => $1)
    or (is_leased and out_until is null)`

async function layUp({ database, register }: WebhookWorld, api: WebhookTenant): Promise<string> {
  const id = await register(api)
  const [tenant] = await database.query<{ id: string }>(tenants)
  const happen = (times: number, age: string) => database.query(happened, [tenant?.id, times, age])
  await happen(exhausted, '1 day')
  await happen(7, '8 days')
  await database.query(ranOut)
  await happen(backlog, '1 hour')
  await database.query(retried)
  await database.query(paused)
  return id
}

/** That what is on record has arrived, with its event's bytes. @returns how many there are */
async function expectSameBytes({ database, receiver }: WebhookWorld): Promise<number> {
  const delivered = await database.query<{ id: string; body: Buffer }>(deliveredEvents)
  for (const { id, body } of delivered) {
    const arrivals = receiver.arrivals.get(id) ?? []
    expect(arrivals.length).toBeGreaterThan(0)
    expect(arrivals.every((arrival) => arrival.body.equals(body))).toBe(true)
  }
  expect(receiver.faults).toEqual([])
  return delivered.length
}

test('a backlog of 100,000 is reactivated and sent through kill -9 of the API and of a worker', async () => {
  await using world = await openWebhookWorld({
    WEBHOOK_LEASE_SECONDS: String(leaseSeconds),
    WEBHOOK_CATCH_UP_PER_SECOND: '100000',
    WEBHOOK_PER_ENDPOINT: String(atOnce),
  })
  const { database, receiver } = world
  const first = await world.startApi()
  const id = await layUp(world, first)
  const before = await database.query<{ later: number }>(standing)
  expect(before).toMatchObject([{ status: 'paused', round: 1, open: backlog, exhausted: 1_007 }])
  expect(before[0]?.later).toBeGreaterThan(backlog / 3)

  // Killed when all but what ran out is done, in a transaction that has not ended.
  const path = `/v1/webhooks/${id}/reactivate`
  const unlock = await database.lockTable('delivery')
  const answered = first.ask('POST', path).catch(() => 'cut off')
  await database.untilBlocked('reactivate_endpoint')
  await first.kill()
  expect(await answered).toBe('cut off')
  await unlock()
  await until('its transaction is gone', async () => {
    const running = await database.query(reactivating)
    return running.length === 0
  })
  expect(await database.query(standing)).toEqual(before)

  const [api, worker] = await Promise.all([world.openApi(), world.startWorker()])
  expect(await api.ask('POST', path)).toMatchObject({
    status: 200,
    json: { status: 'active', requeued: backlog, redelivered: exhausted },
  })

  // Killed with so much in hand that the next one must wait for its leases to end.
  await receiver.untilArrived(told / 2)
  const release = receiver.hold()
  await until('it waits for answers', async () => {
    const inHand = await database.query<{ id: string }>(leased)
    return inHand.length > atOnce / 2 && inHand.every(({ id }) => receiver.arrivals.has(id))
  })
  await worker.kill()
  release()
  expect(await api.ask('POST', path)).toMatchObject({ json: { requeued: 0, redelivered: 0 } })
  const next = await world.startWorker()
  await receiver.untilArrived(told)
  next.signal('SIGTERM')
  expect(await next.ended).toBe(0)

  expect(await database.query(stuck, [leaseSeconds])).toEqual([])
  const delivered = await expectSameBytes(world)
  expect(delivered).toBeGreaterThanOrEqual(told - atOnce)
  const open = backlog + exhausted - delivered
  expect(await database.query(standing)).toMatchObject([
    { status: 'active', streak: 0, round: 2, open, exhausted: 7 },
  ])
})
