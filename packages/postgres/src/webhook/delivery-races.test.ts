import { defaultEndpointPolicy, usdt } from '@quipu/core'
import type { ClaimedDelivery, RecordedAttempt } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  arrivalOf,
  attemptAt,
  eventsHappen,
  everything,
  newEndpoint,
  newReceiver,
  recordAll,
} from '../test/deliveries.fixture.ts'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'
import { type PostgresStores, postgresStores } from '../stores.ts'

let harness: StoreHarness
let opened: PostgresStores[]
beforeEach(async () => {
  harness = await openStoreHarness()
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map((stores) => stores.close()))
  // A record that PostgreSQL aborts to end a deadlock is retried, so only this count shows a deadlock.
  const [{ deadlocks } = {}] = await harness.sql(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  await harness.close()
  expect(deadlocks).toBe(0)
})

/** `count` processes over the same database. */
function processes(count: number): readonly PostgresStores[] {
  const made = Array.from({ length: count }, () => postgresStores({ url: harness.stores.url, poolSize: 2 }))
  opened.push(...made)
  return made
}

const { redeliverSeconds } = defaultEndpointPolicy
const nameOf = ({ claim }: ClaimedDelivery): string => `${claim.endpointId} ${claim.eventId}`
const exhausted = { type: 'exhausted' } as const
const delivered = { type: 'delivered' } as const
/** How many deliveries of an endpoint have not ended, also after it was removed. */
const countOpen = async (id: string): Promise<unknown> =>
  (await harness.sql('select quipu.count_queued($1)::int n', [id]))[0]?.['n']

test('twelve processes that each exhaust a delivery pause the endpoint at exactly five', async () => {
  const [tenantId, id] = await newReceiver(harness)
  await harness.sql(eventsHappen, [tenantId, 12])
  const claimed = await harness.stores.deliveries.claimDue(everything)
  const seen: RecordedAttempt[] = await Promise.all(
    processes(12).map(({ deliveries }, n) => {
      const each = claimed[n]
      if (!each) throw new Error('twelve are due')
      return deliveries.record(attemptAt(each, exhausted))
    }),
  )
  const failures = seen.map((each) => each.type === 'recorded' && each.consecutiveFailures)
  expect(failures.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  const pausing = seen.filter((each) => each.type === 'recorded' && each.hasPaused)
  expect(pausing).toEqual([{ type: 'recorded', consecutiveFailures: 5, hasPaused: true }])
  expect((await harness.stores.webhooks.get(tenantId, id))?.endpoint).toMatchObject({
    status: 'paused',
    consecutiveFailures: 12,
  })
})

test('concurrent claims never share a delivery, nor exceed the limits of an endpoint or tenant', async () => {
  const ids: string[] = []
  const large = await harness.newWallet(usdt(0n))
  for (let n = 0; n < 4; n++) ids.push(await newEndpoint(harness, large))
  await harness.sql(eventsHappen, [large, 20])
  for (let n = 0; n < 5; n++) {
    const [tenantId, id] = await newReceiver(harness)
    await harness.sql(eventsHappen, [tenantId, 40])
    ids.push(id)
  }
  const workers = processes(8)
  const query = { ...everything, limit: 25, perEndpoint: 6, perTenant: 10 }
  const out = new Map<string, ClaimedDelivery>()
  let turns = 0
  for (let ended = 0; ended < 280; turns++) {
    const claims = await Promise.all(
      workers.map(({ deliveries }, n) => (n % 2 === 0 ? deliveries.claimDue(query) : claimQueued(deliveries, query))),
    )
    for (const claimed of claims.flat()) {
      expect(out.has(nameOf(claimed))).toBe(false)
      out.set(nameOf(claimed), claimed)
    }
    for (const id of ids) {
      const held = Array.from(out.values()).filter(({ claim }) => claim.endpointId === id)
      expect(held.length).toBeLessThanOrEqual(6)
    }
    const ofLarge = Array.from(out.values()).filter(({ tenantId }) => tenantId === large)
    expect(ofLarge.length).toBeLessThanOrEqual(10)
    const done = await recordAll(harness.stores.deliveries, Array.from(out.values()), delivered)
    expect(done.every(({ type }) => type === 'recorded')).toBe(true)
    ended += out.size
    out.clear()
  }
  expect(turns).toBeLessThan(200)
  for (const id of ids) expect(await countOpen(id)).toBe(0)
})

async function claimQueued(
  deliveries: PostgresStores['deliveries'],
  query: typeof everything,
): Promise<readonly ClaimedDelivery[]> {
  const refs = await deliveries.enqueue(query)
  const claims = await Promise.all(refs.map((ref) => deliveries.claim(ref, 60)))
  return claims.filter((claimed) => claimed !== undefined)
}

test('removing an endpoint while its events are logged and sent causes no deadlock and leaves no row', async () => {
  const [one, other] = processes(2)
  const tenantId = await harness.newWallet(usdt(0n))
  for (let turn = 0; turn < 12; turn++) {
    const ids = [await newEndpoint(harness, tenantId), await newEndpoint(harness, tenantId)]
    await harness.sql(eventsHappen, [tenantId, 60])
    const work = async (stores: PostgresStores | undefined, decision: typeof exhausted) => {
      const { deliveries } = stores ?? harness.stores
      for (let n = 0; n < 4; n++) {
        const claimed = await deliveries.claimDue({ ...everything, limit: 20 })
        await recordAll(deliveries, claimed.slice(0, 15), decision)
        await deliveries.requeue(await deliveries.enqueue({ ...everything, limit: 5 }))
      }
    }
    await Promise.all([
      work(one, exhausted),
      work(other, exhausted),
      harness.sql(eventsHappen, [tenantId, 30]),
      ...ids.map((id) => harness.stores.webhooks.remove(tenantId, id)),
    ])
    await harness.sql(eventsHappen, [tenantId, 5])
    await harness.sql(`update quipu.delivery_open set in_flight_until = null, is_leased = false,
      next_at = now() - interval '1 second'`)
    expect(await harness.stores.deliveries.claimDue(everything)).toEqual([])
    for (const id of ids) expect(await countOpen(id)).toBe(0)
  }
})

test('with concurrent events, records and reactivations every event is delivered', async () => {
  const workers = processes(3)
  const [tenantId, id] = await newReceiver(harness)
  const reactivate = (stores: PostgresStores) =>
    stores.webhooks.reactivate(tenantId, id, defaultEndpointPolicy, someInstant)
  const work = async ({ deliveries }: PostgresStores, turn: number): Promise<void> => {
    for (let n = 0; n < 12; n++) {
      const claimed = await deliveries.claimDue({ ...everything, limit: 30, perEndpoint: 60 })
      const decisions = [exhausted, exhausted, delivered, { type: 'retry', inMs: 3_600_000 }] as const
      await Promise.all(
        claimed.map((each, place) => {
          const decision = decisions[(place + turn) % 4] ?? delivered
          return deliveries.record(decision.type === 'delivered' ? arrivalOf(each) : attemptAt(each, decision))
        }),
      )
    }
  }
  const happen = async (): Promise<void> => {
    for (let n = 0; n < 12; n++) await harness.sql(eventsHappen, [tenantId, 20])
  }
  const wake = async (): Promise<void> => {
    for (let n = 0; n < 12; n++) await reactivate(harness.stores)
  }
  await Promise.all([...workers.map(work), happen(), wake()])

  await harness.sql(`update quipu.webhook_endpoint set status = 'paused', paused_at = now()`)
  await reactivate(harness.stores)
  await harness.sql(`update quipu.webhook_endpoint set catch_up_at = null`)
  const rest = await harness.stores.deliveries.claimDue(everything)
  await recordAll(harness.stores.deliveries, rest, delivered)
  expect(await countOpen(id)).toBe(0)
  const ended = await harness.sql(
    `select d.status, count(*)::int n from (
      select status from quipu.delivery where endpoint_id = $1
      union all
      select 'delivered' from quipu.delivered_run cross join unnest(event_ids) where endpoint_id = $1
    ) d group by d.status`,
    [id],
  )
  expect(ended).toEqual([{ status: 'delivered', n: 240 }])
})

test('a reactivation of 100,000 deliveries that is killed midway is rolled back, and the next one does all', async () => {
  const [tenantId, id] = await newReceiver(harness)
  const many = 100_000
  await harness.sql(eventsHappen, [tenantId, many])
  await harness.sql(`
    with passed as (
      update quipu.delivery_cursor c set seq = w.seq, logged_at = w.logged_at
      from quipu.wallet w where w.tenant_id = c.tenant_id
    )
    insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
      ended_at, fencing_token, has_paused, attempts)
    select c.endpoint_id, l.event_id, c.tenant_id, l.event_type, l.logged_at, 'exhausted', now(), 8, false,
      '{}'
    from quipu.delivery_cursor c join quipu.tenant_log l on l.tenant_id = c.tenant_id`)
  await harness.sql(`update quipu.webhook_endpoint set status = 'paused', paused_at = now()`)
  await harness.sql(eventsHappen, [tenantId, 3])

  // It waits for this lock after all its changes and before its commit.
  await harness.sql('select pg_advisory_lock(7)')
  const victim = new pg.Client(harness.stores.url)
  victim.on('error', () => undefined)
  await victim.connect()
  const reactivation = victim.query('select quipu.reactivate_endpoint($1, $2, $3, now(), null), pg_advisory_lock(7)', [
    tenantId,
    id,
    redeliverSeconds,
  ])
  await Promise.all([expect(reactivation).rejects.toThrow(/terminat/), killWhenBlocked()])
  await harness.sql('select pg_advisory_unlock(7)')

  expect(await countOpen(id)).toBe(3)
  expect((await harness.stores.webhooks.get(tenantId, id))?.endpoint.status).toBe('paused')
  const done = await harness.stores.webhooks.reactivate(tenantId, id, defaultEndpointPolicy, someInstant)
  expect(done).toMatchObject({ requeued: 3, redelivered: many })
  expect(await countOpen(id)).toBe(many + 3)
})

async function killWhenBlocked(): Promise<void> {
  for (;;) {
    const rows = await harness.sql(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_advisory%'`)
    if (rows.length > 0) return
    await new Promise(setImmediate)
  }
}
