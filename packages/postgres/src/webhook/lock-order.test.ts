import type { AttemptRecord } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { attemptAt, eventsHappen, everything, newEndpoint, newReceiver } from '../test/deliveries.fixture.ts'
import { openOtherSession, openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

// Each function locks endpoints, runs and open deliveries in ascending order, and so no two wait for each other.

const harness = useStoreHarness()

const pair = (value: string) => `'{${value},${value}}'`
const requeue = 'select from quipu.requeue_deliveries($1, $2, null)'
const recordRuns = `select from quipu.record_runs($1, (
    select array_agg(r.first_seq order by i.place)
    from unnest($1::text[], $2::uuid[]) with ordinality i (endpoint_id, event_id, place)
    join quipu.delivery_run r on r.endpoint_id = i.endpoint_id and i.event_id = any (r.event_ids)
  ), '{1,1}', $2, array[now(), now()], '{200,200}', '{1,1}', '{null,null}', null)`
const record = (result: AttemptRecord['decision']['type'], token: number) =>
  `select from quipu.record_attempts($1, $2, ${pair(`${token}`)}, ${pair('"{}"')}, ${pair(result)}, '{1000,1000}', '{f,f}',
     '{5,5}', '{900,900}', null)`
const reactivate = `select from quipu.reactivate_endpoint((
    select tenant_id from quipu.webhook_endpoint where id = ($1::text[])[1] and $2::uuid[] is not null
  ), ($1::text[])[1], 1800, now(), now())`

const rows = {
  endpoint: 'select from quipu.webhook_endpoint where id = $1 and $2::uuid is not null for update',
  run: 'select from quipu.delivery_run where endpoint_id = $1 and $2::uuid = any (event_ids) for update',
  open: 'select from quipu.delivery_open where endpoint_id = $1 and event_id = $2 for update',
}

/** Two deliveries, ascending: in runs of their own, or open, where they wait for a retry or are leased. */
async function twoRows(by: 'endpoint' | 'event', state: 'in runs' | 'waiting' | 'leased') {
  const [tenantId, one] = await newReceiver(harness)
  const ids = [one, await newEndpoint(harness, tenantId)].toSorted()
  const { deliveries } = harness.stores
  for (let count = 0; count < 2; count++) {
    await harness.sql(eventsHappen, [tenantId, 1])
    if (state === 'in runs') await deliveries.claimDue(everything)
  }
  const log = await harness.sql('select event_id from quipu.tenant_log where tenant_id = $1 order by seq', [tenantId])
  const events = log.map((entry) => String(entry['event_id']))
  if (state !== 'in runs') {
    for (const each of await deliveries.claimDue(everything)) {
      const hours = each.claim.eventId === events[0] ? 2 : 1
      const inMs = state === 'leased' ? 0 : hours * 3_600_000
      await deliveries.record(attemptAt(each, { type: 'retry', inMs }))
    }
    await deliveries.claimDue(everything)
    // A delivered attempt at a healthy endpoint takes a way of its own.
    await harness.sql('update quipu.webhook_endpoint set failing_since = null where id = any ($1)', [ids])
  }
  const [a = '', b = ''] = ids
  const [first = '', last = ''] = events
  return by === 'endpoint' ? { endpoints: [a, b], events: [last, first] } : { endpoints: [a, a], events: [first, last] }
}

test.each([
  ['requeued deliveries', 'endpoint', 'leased', rows.open, requeue],
  ['requeued deliveries', 'event', 'leased', rows.open, requeue],
  ['parts of runs', 'endpoint', 'in runs', rows.run, recordRuns],
  ['parts of runs', 'event', 'in runs', rows.run, recordRuns],
  ['endpoints of attempts', 'endpoint', 'leased', rows.endpoint, record('exhausted', 2)],
  ['runs of attempts', 'endpoint', 'in runs', rows.run, record('delivered', 1)],
  ['runs of attempts', 'event', 'in runs', rows.run, record('delivered', 1)],
  ['deliveries of attempts', 'endpoint', 'leased', rows.open, record('retry', 2)],
  ['deliveries of attempts', 'event', 'leased', rows.open, record('retry', 2)],
  ['delivered ones', 'endpoint', 'leased', rows.open, record('delivered', 2)],
  ['delivered ones', 'event', 'leased', rows.open, record('delivered', 2)],
  ['reactivated deliveries', 'event', 'waiting', rows.open, reactivate],
] as const)('%s are locked by %s', async (_, by, state, row, call) => {
  const { endpoints, events } = await twoRows(by, state)
  const holder = await openTransaction(harness.stores.url)
  expect(await holder.sql(row, [endpoints[0], events[0]])).toHaveLength(1)
  await using caller = await openOtherSession(harness.stores.url)
  await caller.sql('set enable_seqscan to off; set enable_hashjoin to off; set enable_mergejoin to off') // As in large tables.
  const calling = caller.sql(call, [endpoints.toReversed(), events.toReversed()])
  await untilWaiting(harness.sql, 1, calling)
  expect(await harness.sql(`${row} skip locked`, [endpoints[1], events[1]])).toHaveLength(1)
  await holder.commit()
  await calling
})
