import { beforeAll, expect, test } from 'vitest'
import { untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, now } from '../test/delivery-states.fixture.ts'
import { openTransaction, startWaiting } from '../test/row-locks.fixture.ts'
import { withIds } from '../test/row-changes.fixture.ts'

// A reactivation and a record that lock the same deliveries.

const harness = useStoreHarness()
beforeAll(() => deliveriesInAllStates(harness))

test('a reactivation locks its deliveries in the order of records, whether they are resent or wait for a retry', async () => {
  const prepare = [
    `update quipu.webhook_endpoint set failing_since = ${now}, consecutive_failures = 2 where id = 'we_a'`,
    // A resend, a delivery that another session locks, and one that waits for a retry, in the order of their ids.
    'delete from quipu.delivery_run',
    `delete from quipu.delivery_open where endpoint_id <> 'we_a' or event_id not in ('1-8', '1-11', '1-17')`,
    `update quipu.delivery_open set event_id = '1-13' where event_id = '1-8'`,
    `update quipu.delivery_open set next_at = ${now} + interval '1 h' where event_id = '1-17'`,
  ]
  for (const text of prepare) await harness.sql(withIds(text))
  const [holder, recorder, caller] = [
    await openTransaction(harness),
    await openTransaction(harness),
    await openTransaction(harness),
  ]
  await holder(`select from quipu.delivery_open where event_id = '1-13' for update`)
  const record = await startWaiting(
    harness,
    recorder,
    `select counts from quipu.record_attempts('{we_a,we_a,we_a}', array['1-11', '1-13', '1-17']::uuid[],
       '{1,1,1}', array['{}', '{}', '{}'], '{retry,retry,retry}', '{1,1,1}', '{f,f,f}', '{5,5,5}',
       '{900,900,900}', ${now})`,
  )
  const reactivation = caller(
    `select requeued::int from quipu.reactivate_endpoint('ten_1', 'we_a', 1800, ${now}, ${now})`,
  )
  await untilWaiting(harness.sql, 2, reactivation)
  await holder('commit')
  expect(await record.done).toHaveLength(1)
  await recorder('commit')
  expect(await reactivation).toHaveLength(1)
})
