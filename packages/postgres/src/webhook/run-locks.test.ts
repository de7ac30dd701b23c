import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, now } from '../test/delivery-states.fixture.ts'
import { lockedRows, openTransaction, startWaiting } from '../test/row-locks.fixture.ts'

// Attempts of deliveries that are still in their run.

const harness = useStoreHarness()
beforeAll(() => deliveriesInAllStates(harness))

const record = (id: string, event: string, result = 'delivered'): string =>
  `select counts from quipu.record_attempts('{${id}}', array['${event}']::uuid[], '{1}', array['{}'], '{${result}}',
     '{1000}', '{false}', '{5}', '{900}', ${now})`
const runs = (id: string) =>
  harness.sql(
    'select first_seq::int, cardinality(event_ids) as size from quipu.delivery_run where endpoint_id = $1 order by 1',
    [id],
  )

test('an attempt locks the run of its delivery, and no other', async () => {
  const session = await openTransaction(harness)
  await session(record('we_b', '1-12'))
  expect(await lockedRows(harness)).toEqual(['delivery_run we_b 12'])
  await session('rollback')
})

test('two attempts of one run that are recorded at once both leave it', async () => {
  const [first, second] = [await openTransaction(harness), await openTransaction(harness)]
  await first(record('we_a', '1-12'))
  const { done } = await startWaiting(harness, second, record('we_a', '1-13'))
  await first('commit')
  expect(await done).toEqual([{ counts: [0] }])
  await second('commit')
  expect(await runs('we_a')).toEqual([{ first_seq: 14, size: 2 }])
})

test('parts of one run that are recorded at once both leave it', async () => {
  const part = (event: string) =>
    `select quipu.record_runs('{we_c}', '{12}', '{1}', array['${event}']::uuid[], array[${now}], '{200}',
       '{1}', '{null}', ${now}) as recorded`
  const [first, second] = [await openTransaction(harness), await openTransaction(harness)]
  await first(part('2-12'))
  const { done } = await startWaiting(harness, second, part('2-13'))
  await first('commit')
  expect(await done).toEqual([{ recorded: [true] }])
  await second('commit')
  expect(await runs('we_c')).toEqual([{ first_seq: 14, size: 2 }])
})
