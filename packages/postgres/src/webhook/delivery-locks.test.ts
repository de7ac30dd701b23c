import { presentedBy } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, now } from '../test/delivery-states.fixture.ts'
import { lockedRows, openTransaction, startWaiting } from '../test/row-locks.fixture.ts'

// Which rows calls lock until their transaction ends, and in which order.

const harness = useStoreHarness()
beforeAll(() => deliveriesInAllStates(harness))

const ana = presentedBy('ana')
const failing = `update quipu.webhook_endpoint set failing_since = ${now}, consecutive_failures = 2
  where id = 'we_a'`
const failingLong = `update quipu.webhook_endpoint set failing_since = ${now} - interval '1 hour',
  is_failing_long = true where id = 'we_a'`

/** Records attempts of endpoints and events with these results. */
const record = (...items: readonly (readonly [string, string, string])[]): string => {
  const list = (each: (item: readonly [string, string, string]) => string) =>
    `array[${items.map((item) => `'${each(item)}'`).join(', ')}]`
  return `select from quipu.record_attempts(${list(([id]) => id)}, ${list(([, event]) => event)}::uuid[],
    ${list(() => '2')}::int[], ${list(() => '{}')}, ${list(([, , result]) => result)},
    ${list(() => '1000')}::float8[], ${list(() => 'false')}::bool[], ${list(() => '5')}::int[],
    ${list(() => '900')}::int[], ${now})`
}

test.each<[name: string, call: string, locked: readonly string[], prepare?: string]>([
  [
    'a new filter locks the log of its tenant',
    `select quipu.change_endpoint('ten_1', 'we_a', null, true, '{}', false, null, ${now})`,
    ['wallet ten_1', 'webhook_endpoint we_a'],
  ],
  [
    'another change of an endpoint does not',
    `select quipu.change_endpoint('ten_1', 'we_a', 'u', false, null, false, null, ${now})`,
    ['webhook_endpoint we_a'],
  ],
  [
    'a new endpoint locks the log of its tenant',
    `select quipu.register_endpoint('ten_2', 'we_d', 'u', null, null, 'active', 0, null, '[]', ${now}, ${now}, 9)`,
    ['wallet ten_2'],
  ],
  [
    'the secrets that are to be replaced lock their endpoint',
    `select quipu.lock_secrets('ten_1', 'we_b')`,
    ['webhook_endpoint we_b'],
  ],
  [
    'a resend locks its endpoint',
    `select quipu.resend_delivery('ten_1', 'we_b', '1-8', ${now})`,
    ['webhook_endpoint we_b'],
  ],
  [
    'an operator’s resend locks its endpoint',
    `select quipu.resend_as_operator('ten_1', 'we_b', '1-8', '${ana}', ${now}, ${now})`,
    ['webhook_endpoint we_b'],
  ],
  [
    'an operator’s pause that is refused locks its endpoint',
    `select quipu.pause_endpoint('ten_1', 'we_b', '${ana}', ${now}, 'x')`,
    ['webhook_endpoint we_b'],
    `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now}, operator_paused_at = ${now},
       operator_paused_by = 'eva', operator_pause_reason = 'x' where id = 'we_b'`,
  ],
  [
    'an endpoint that a claim has read as inactive locks its own cursor',
    `select quipu.clear_inactive_endpoint('we_a')`,
    ['delivery_cursor we_a'],
    'update quipu.delivery_cursor set is_due = true',
  ],
  [
    'a delivered attempt at a healthy endpoint does not lock it',
    record(['we_a', '1-8', 'delivered']),
    ['delivery_open we_a 1-8'],
  ],
  [
    'nor does a failed attempt at an endpoint that is failing',
    record(['we_a', '1-8', 'retry']),
    ['delivery_open we_a 1-8'],
    failing,
  ],
  [
    'nor does one at an endpoint that has been reported',
    record(['we_a', '1-8', 'retry']),
    ['delivery_open we_a 1-8'],
    failingLong,
  ],
  [
    'a delivered attempt at an endpoint that is failing locks it, and not the healthy one',
    record(['we_a', '1-8', 'delivered'], ['we_b', '1-8', 'delivered']),
    ['delivery_open we_a 1-8', 'delivery_open we_b 1-8', 'webhook_endpoint we_a'],
    failing,
  ],
])('%s', async (_, call, locked, prepare) => {
  const session = await openTransaction(harness)
  if (prepare !== undefined) await harness.sql(prepare)
  await session(call)
  expect(await lockedRows(harness)).toEqual(locked)
  await session('rollback')
  await harness.sql(`update quipu.webhook_endpoint set failing_since = null, consecutive_failures = 0,
    is_failing_long = false, status = 'active',
    paused_at = null, operator_paused_at = null, operator_paused_by = null, operator_pause_reason = null`)
  await harness.sql('update quipu.delivery_cursor set is_due = false')
})

/** A statement that locks one row. */
const hold = {
  endpoint: (id: string) => `select from quipu.webhook_endpoint where id = '${id}' for update`,
  open: (id: string, event: string) =>
    `select from quipu.delivery_open where endpoint_id = '${id}' and event_id = '${event}' for update`,
  run: (id: string, seq: number) =>
    `select from quipu.delivery_run where endpoint_id = '${id}' and first_seq = ${seq} for update`,
}
const requeue = (ids: string, events: string) =>
  `select quipu.requeue_deliveries('{${ids}}', array[${events}]::uuid[], ${now})`
const recordRuns = (ids: string, seqs: string, events: string) =>
  `select quipu.record_runs('{${ids}}', '{${seqs}}', '{1,2}', array[${events}]::uuid[],
     array[${now}, ${now}], '{200,200}', '{1,1}', '{null,null}', ${now})`

test.each<[name: string, held: string, call: string, locked: readonly string[]]>([
  [
    'requeued deliveries by endpoint',
    hold.open('we_a', '1-11'),
    requeue('we_b,we_a', `'1-9', '1-11'`),
    ['delivery_open we_a 1-11'],
  ],
  [
    'requeued deliveries by event',
    hold.open('we_a', '1-10'),
    requeue('we_a,we_a', `'1-9', '1-10'`),
    ['delivery_open we_a 1-10'],
  ],
  [
    'parts of runs by endpoint',
    hold.run('we_a', 14),
    recordRuns('we_b,we_a', '12,14', `'1-12', '1-14'`),
    ['delivery_run we_a 14'],
  ],
  [
    'parts of runs by their first entry',
    hold.run('we_a', 12),
    recordRuns('we_a,we_a', '14,12', `'1-14', '1-12'`),
    ['delivery_run we_a 12'],
  ],
  [
    'endpoints of attempts',
    hold.endpoint('we_a'),
    record(['we_b', '1-8', 'exhausted'], ['we_a', '1-8', 'exhausted']),
    ['webhook_endpoint we_a'],
  ],
  [
    'runs of attempts by endpoint',
    hold.run('we_a', 12),
    record(['we_b', '1-12', 'delivered'], ['we_a', '1-12', 'delivered']),
    ['delivery_run we_a 12'],
  ],
  [
    'runs of attempts by their first entry',
    hold.run('we_a', 12),
    record(['we_a', '1-14', 'delivered'], ['we_a', '1-12', 'delivered']),
    ['delivery_run we_a 12'],
  ],
  [
    'deliveries of attempts by endpoint',
    hold.open('we_a', '1-11'),
    record(['we_b', '1-8', 'retry'], ['we_a', '1-11', 'retry']),
    ['delivery_open we_a 1-11', 'webhook_endpoint we_a', 'webhook_endpoint we_b'],
  ],
  [
    'deliveries of attempts by event',
    hold.open('we_a', '1-10'),
    record(['we_a', '1-9', 'retry'], ['we_a', '1-10', 'retry']),
    ['delivery_open we_a 1-10', 'webhook_endpoint we_a'],
  ],
  [
    'delivered ones by endpoint',
    hold.open('we_a', '1-10'),
    record(['we_b', '1-8', 'delivered'], ['we_a', '1-10', 'delivered']),
    ['delivery_open we_a 1-10'],
  ],
])('%s are locked in the order of all functions', async (_, held, call, locked) => {
  const [holder, caller] = [await openTransaction(harness), await openTransaction(harness)]
  await holder(held)
  const { done } = await startWaiting(harness, caller, call)
  expect(await lockedRows(harness)).toEqual(locked)
  await holder('rollback')
  await done
  await caller('rollback')
})
