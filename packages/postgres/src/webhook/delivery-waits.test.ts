import { presentedBy } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, eventId, now } from '../test/delivery-states.fixture.ts'
import { openTransaction, startWaiting } from '../test/row-locks.fixture.ts'

// Calls that wait for another one of the same endpoint see what it has changed.

const harness = useStoreHarness()
beforeAll(() => deliveriesInAllStates(harness))

const ana = presentedBy('ana')
const claim = (id: string, event: string) =>
  `select fencing_token as token from quipu.claim_delivery('${id}', '${event}', 60, ${now})`
const pause = `select quipu.pause_endpoint('ten_1', 'we_b', '${ana}', ${now}, 'x') as result`

/** Runs both calls at once; the second one waits for the first one to commit. @returns the rows of both */
async function oneAfterOther(first: string, second: string) {
  const [earlier, later] = [await openTransaction(harness), await openTransaction(harness)]
  const rows = await earlier(first)
  const { done } = await startWaiting(harness, later, second)
  await earlier('commit')
  const others = await done
  await later('commit')
  return [rows, others]
}

test('two deliveries of an expired run that are claimed by name at once leave it, both', async () => {
  expect(await oneAfterOther(claim('we_a', '1-14'), claim('we_a', '1-15'))).toEqual([[{ token: 2 }], [{ token: 2 }]])
  expect(await harness.sql(`select from quipu.delivery_run where endpoint_id = 'we_a' and first_seq = 14`)).toEqual([])
})

test('of two claims of a delivery by name at once one has it', async () => {
  expect(await oneAfterOther(claim('we_a', '1-18'), claim('we_a', '1-18'))).toEqual([[{ token: 1 }], []])
})

test('a claim by name that waits for the turn of its endpoint does not claim what that has taken', async () => {
  await harness.sql(`update quipu.delivery_cursor set is_due = true where endpoint_id = 'we_c'`)
  const turn = `select from quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`
  const [, claimed] = await oneAfterOther(turn, claim('we_c', '2-21'))
  expect(claimed).toEqual([])
  const [run] = await harness.sql(
    `select cardinality(event_ids) as size from quipu.delivery_run
     where endpoint_id = 'we_c' and first_seq = 18`,
  )
  expect(run).toEqual({ size: 4 })
})

test('of two pauses of operators at once the first one holds', async () => {
  const results = await oneAfterOther(pause, pause)
  expect(results).toEqual([[{ result: 'committed' }], [{ result: 'stale' }]])
})

test('a resumption that waits for a pause records it as ended', async () => {
  const failed = `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} where id = 'we_c'`
  const resume = `select result from quipu.resume_endpoint('ten_2', 'we_c', '${ana}', ${now}, 'x', 0, ${now})`
  expect(await oneAfterOther(failed, resume)).toEqual([[], [{ result: 'committed' }]])
  const log = await harness.sql(`select before from quipu.audit_log where action = 'webhook.resume'`)
  expect(log).toEqual([{ before: { status: 'paused' } }])
})

test('a requeue that waits for a claim by name leaves it its delivery', async () => {
  const requeue = `select from quipu.requeue_deliveries('{we_a}', array['1-9']::uuid[], ${now})`
  await oneAfterOther(claim('we_a', '1-9'), requeue)
  const [row] = await harness.sql(
    `select is_leased as leased, fencing_token as token from quipu.delivery_open
     where endpoint_id = 'we_a' and event_id = $1`,
    [eventId(1, 9)],
  )
  expect(row).toEqual({ leased: true, token: 1 })
})

test('two deliveries of a run that are resent at once are due, both', async () => {
  const resend = (event: string) => `select quipu.resend_delivery('ten_1', 'we_a', '${event}', ${now}) as result`
  expect(await oneAfterOther(resend('1-3'), resend('1-5'))).toEqual([
    [{ result: 'committed' }],
    [{ result: 'committed' }],
  ])
})
