import { expect, test } from 'vitest'
import { deliveryState } from '../harness/deliveries.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { openWebhookHarness, type WebhookTenant, type WebhookHarness } from '../harness/webhook-harness.fixture.ts'

const backlog = 10_000
const exhausted = 1_000
const sentEvents = 2_000
const leaseSeconds = 3
const atOnce = 64

const tenants = 'select tenant_id as id from quipu.webhook_endpoint'

/** Adds events of this age to a tenant's log. */
const insertEvents = `
  with made as materialized (
    select row_number() over (order by id) as n, id, uuid_extract_timestamp(id) as at
    from (select uuidv7(-$3::interval) as id from generate_series(1, $2::int)) _
  ), logged as (
    insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, fencing_token,
      event_id, tenant_id, payout_id, status, body)
    select w.seq + n, at, 1, 0, 0, 1, made.id, $1, 'po_' || made.id, 'completed',
      convert_to(json_build_object('id', made.id, 'type', 'payout.completed')::text, 'UTF8')
    from made, quipu.wallet w where w.tenant_id = $1
  )
  update quipu.wallet set seq = seq + $2::int, logged_at = (select max(at) from made)
  where tenant_id = $1`

/** Moves the cursor past this number of entries. */
const taken = `
  passed as (
    update quipu.delivery_cursor c
    set seq = e.seq, logged_at = e.ended_at
    from quipu.payout_end e where e.tenant_id = c.tenant_id and e.seq = c.seq + $1::int
    returning c.endpoint_id, c.tenant_id, old.seq as after_seq, new.seq as until_seq
  ),
  taken as (
    select p.endpoint_id, e.event_id, e.tenant_id, e.ended_at
    from passed p join quipu.payout_end e
      on e.tenant_id = p.tenant_id and e.seq > p.after_seq and e.seq <= p.until_seq
  )`

const insertExhausted = `
  with ${taken}
  insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
    ended_at, fencing_token, has_paused, attempts)
  select endpoint_id, event_id, tenant_id, 'payout.completed', ended_at, 'exhausted', ended_at, 8,
    false, '{}'
  from taken`

/** Pauses the endpoint, as five consecutive exhausted deliveries do. */
const pause = `
  update quipu.webhook_endpoint
  set status = 'paused', consecutive_failures = 5, paused_at = clock_timestamp()`
const insertRetries = `
  with ${taken}
  insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at, next_at,
    generation, attempt_count, fencing_token, recorded_token)
  select endpoint_id, event_id, tenant_id, 'payout.completed', ended_at,
    clock_timestamp() + interval '30 minutes', 1, 3, 3, 3
  from taken`

const standing = `
  select w.status, w.consecutive_failures, w.generation, quipu.count_queued(w.id)::int as queued,
    (select count(*)::int from quipu.delivery_open where next_at > clock_timestamp()) as later,
    (select count(*)::int from quipu.delivery where status = 'exhausted') as exhausted
  from quipu.webhook_endpoint w`

const reactivating = `
  select 1 from pg_stat_activity
  where datname = current_database() and query like '%reactivate_endpoint%'
    and pid <> pg_backend_pid()`

/** Work that is neither due nor leased for at most one lease. */
const stuck = `
  select event_id from quipu.delivery_open
  where next_at > clock_timestamp() + make_interval(secs => $1)
    or (is_leased and in_flight_until is null)
  union all
  select unnest(event_ids) from quipu.delivery_run
  where leased_until > clock_timestamp() + make_interval(secs => $1)
  union all
  select null from quipu.delivery_cursor
  where not is_due and quipu.count_past_cursor(endpoint_id) > 0`

async function createBacklog({ database, register }: WebhookHarness, api: WebhookTenant): Promise<string> {
  const id = await register(api)
  const [tenant] = await database.query<{ id: string }>(tenants)
  const addEvents = (times: number, age: string) => database.query(insertEvents, [tenant?.id, times, age])
  await addEvents(7, '8 days')
  await addEvents(exhausted, '1 day')
  await database.query(insertExhausted, [exhausted + 7])
  await addEvents(backlog, '1 hour')
  await database.query(insertRetries, [backlog / 2])
  await database.query(pause)
  return id
}

type StoredEvent = { readonly id: string; readonly body: Buffer }

const storedEvents = `
  select event_id as id, body from quipu.payout_end where event_id = any ($1::uuid[])`

/** Expects that every recorded delivery arrived with its event's bytes. @returns their number */
async function expectSameBytes({ database, receiver }: WebhookHarness): Promise<number> {
  const delivered = await deliveryState(database).delivered()
  expect(new Set(delivered).size).toBe(delivered.length)
  const events = await database.query<StoredEvent>(storedEvents, [delivered])
  expect(events).toHaveLength(delivered.length)
  for (const { id, body } of events) {
    const arrivals = receiver.arrivals.get(id) ?? []
    expect(arrivals.length).toBeGreaterThan(0)
    expect(arrivals.every((arrival) => arrival.body.equals(body))).toBe(true)
  }
  expect(receiver.rejections).toEqual([])
  return delivered.length
}

test('a backlog of 10,000 events is reactivated and sent despite kill -9 of the API and of a worker', async () => {
  await using harness = await openWebhookHarness({
    WEBHOOK_LEASE_SECONDS: String(leaseSeconds),
    WEBHOOK_CATCH_UP_PER_SECOND: '100000',
    WEBHOOK_PER_ENDPOINT: String(atOnce),
  })
  const { database, receiver } = harness
  const firstApi = await harness.startApi()
  const id = await createBacklog(harness, firstApi)
  const before = await database.query<{ later: number }>(standing)
  expect(before).toMatchObject([{ status: 'paused', generation: 1, queued: backlog, exhausted: 1_007 }])
  expect(before[0]?.later).toBe(backlog / 2)

  // Kill the API in the open transaction, before its last write.
  const path = `/v1/webhooks/${id}/reactivate`
  const unlock = await database.lockTable('delivery')
  const answered = firstApi.ask('POST', path).catch(() => 'cut off')
  await database.untilBlocked('reactivate_endpoint')
  await firstApi.kill()
  expect(await answered).toBe('cut off')
  await unlock()
  await until('its transaction has ended', async () => {
    const running = await database.query(reactivating)
    return running.length === 0
  })
  expect(await database.query(standing)).toEqual(before)

  const [api, worker] = await Promise.all([harness.openApi(), harness.startWorker()])
  expect(await api.ask('POST', path)).toMatchObject({
    status: 200,
    json: { status: 'active', requeued: backlog, redelivered: exhausted },
  })

  // Kill the worker while it has leases, for whose end the next worker must wait.
  await receiver.untilArrived(sentEvents / 2)
  const release = receiver.holdAnswers()
  await until('the worker waits for answers', async () => {
    const leased = await deliveryState(database).leased()
    return leased.length > atOnce / 2 && leased.every((id) => receiver.arrivals.has(id))
  })
  await worker.kill()
  release()
  expect(await api.ask('POST', path)).toMatchObject({ json: { requeued: 0, redelivered: 0 } })
  const next = await harness.startWorker()
  await receiver.untilArrived(sentEvents)
  next.signal('SIGTERM')
  expect(await next.ended).toBe(0)

  expect(await database.query(stuck, [leaseSeconds])).toEqual([])
  const delivered = await expectSameBytes(harness)
  expect(delivered).toBeGreaterThanOrEqual(sentEvents - atOnce)
  const queued = backlog + exhausted - delivered
  expect(await database.query(standing)).toMatchObject([
    { status: 'active', consecutive_failures: 0, generation: 2, queued, exhausted: 7 },
  ])
})
