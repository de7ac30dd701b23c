import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, now } from '../test/delivery-states.fixture.ts'
import { effectOf, withIds } from '../test/row-changes.fixture.ts'
import { openTransaction } from '../test/row-locks.fixture.ts'

// A claim does not wait for rows that another transaction has locked: it leaves them to later claims.

const harness = useStoreHarness()
beforeAll(async () => {
  await deliveriesInAllStates(harness)
  const keptRuns = `delete from quipu.delivery_run where endpoint_id = 'we_a' or first_seq <> 14`
  const keptRows = `delete from quipu.delivery_open
    where event_id not in ('1-10', '2-10', '2-11')`
  for (const text of [keptRuns, keptRows]) await harness.sql(withIds(text))
  await harness.sql(`set lock_timeout = '1 s'`)
})

const claim = `quipu.claim_deliveries(99, 60, 99, 99, false, 2, true, '', false, ${now})`
const cursorOfC = `select from quipu.delivery_cursor where endpoint_id = 'we_c' for update`
const endpointC = `select from quipu.webhook_endpoint where id = 'we_c' for update`
const isDue = (value: boolean): string =>
  `update quipu.delivery_cursor set is_due = ${value} where endpoint_id = 'we_c'`
const endpointIs = (columns: string): string => `update quipu.webhook_endpoint set ${columns} where id = 'we_c'`

/** The rows that the call changes. */
const changedBy = async (call: string): Promise<readonly string[]> => {
  const lines = await effectOf(harness.sql, `select * from ${call}`, [])
  return lines.flatMap((line) => (line.startsWith('returns') ? [] : (line.split(':')[0] ?? '')))
}

const [a, b, c10, c11] = [
  'delivery_open we_a 1-10',
  'delivery_open we_b 1-10',
  'delivery_open we_c 2-10',
  'delivery_open we_c 2-11',
] as const

type Case = {
  readonly held: string
  readonly changed: readonly string[]
  readonly call?: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

test.each<[name: string, each: Case]>([
  [
    'an open delivery',
    {
      held: `select from quipu.delivery_open where endpoint_id = 'we_c' and event_id = '2-11' for update`,
      changed: [a, b, c10],
    },
  ],
  ['a cursor', { held: cursorOfC, changed: [a, b, c10, c11], before: [isDue(true)], after: [isDue(false)] }],
  [
    'the cursor of a paused endpoint',
    {
      held: cursorOfC,
      changed: [a, b, c11],
      before: [isDue(true), endpointIs(`status = 'paused', paused_at = ${now}`)],
      after: [isDue(false), endpointIs(`status = 'active', paused_at = null`)],
    },
  ],
  [
    'the cursor of a paused endpoint beside one that is due',
    {
      held: cursorOfC,
      changed: [
        'delivery_cursor we_a',
        a,
        b,
        c11,
        'delivery_run we_a 16',
        'delivery_run we_a 17',
        'endpoint_filter we_a 16',
      ],
      before: [
        `update quipu.delivery_cursor set is_due = true`,
        endpointIs(`status = 'paused', paused_at = ${now}`),
        `update quipu.delivery_cursor set is_due = false where endpoint_id = 'we_b'`,
      ],
      after: [`update quipu.delivery_cursor set is_due = false`, endpointIs(`status = 'active', paused_at = null`)],
    },
  ],
  [
    'an endpoint that catches up after a pause',
    {
      held: endpointC,
      changed: [a, b],
      before: [endpointIs(`catch_up_at = ${now} - interval '1 minute'`)],
      after: [endpointIs('catch_up_at = null')],
    },
  ],
  ['no endpoint that does not', { held: endpointC, changed: [a, b, c10, c11] }],
  [
    'the other endpoints of a tenant that another claim serves',
    { held: `select from quipu.claim_deliveries(1, 60, 9, 9, false, 2, true, '', false, ${now})`, changed: [c10, c11] },
  ],
  [
    'a run whose lease has ended',
    {
      held: `select from quipu.delivery_run where endpoint_id = 'we_c' and first_seq = 14 for update`,
      changed: ['delivery_open we_b 1-14', 'delivery_open we_b 1-15', 'delivery_run we_b 14'],
      call: `quipu.open_lost_runs(${now})`,
    },
  ],
  [
    'a signal',
    {
      held: 'select from quipu.delivery_signal for update',
      changed: [],
      call: 'quipu.read_delivery_signals()',
      before: [`insert into quipu.delivery_signal (tenant_ids) values ('{ten_2}')`],
      after: ['delete from quipu.delivery_signal'],
    },
  ],
  [
    'an open delivery of a removed endpoint',
    {
      held: `select from quipu.delivery_open where endpoint_id = 'we_c' and event_id = '2-11' for update`,
      changed: [a, b, c10],
      before: [`delete from quipu.webhook_endpoint where id = 'we_c'`],
    },
  ],
])('leaves %s', async (_, { held, changed, call = claim, before = [], after = [] }) => {
  for (const text of before) await harness.sql(text)
  const holder = await openTransaction(harness)
  await holder(held)
  expect(await changedBy(call)).toEqual(changed)
  await holder('rollback')
  for (const text of after) await harness.sql(text)
})
