import { usdt } from '@quipu/core'
import { someInstant } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { everything, newEndpoint } from '../test/deliveries.fixture.ts'
import { insertLog, type LogEntry, uuidOf } from '../test/event-log.fixture.ts'

// A claim leases the events of an endpoint in runs of up to 64.

const harness = useStoreHarness()

/** Entries one a millisecond, whose bodies differ in their lengths. */
const log: readonly LogEntry[] = Array.from({ length: 130 }, (_, i) => {
  const at = new Date(someInstant.getTime() + i + 1)
  const body = JSON.stringify({ event: `${i + 1}${'.'.repeat(i % 7)}` })
  return { seq: i + 1, at, id: uuidOf(at, i), type: 'payout.failed', body }
})

test('the events of a claim have their own bodies, in runs of 64, 64 and 2', async () => {
  await harness.newWallet(usdt(0n), { id: 'ten_1' })
  await newEndpoint(harness, 'ten_1')
  await insertLog(harness.sql, 'ten_1', log)
  await harness.sql('update quipu.delivery_cursor set is_due = true')
  const claimed = await harness.stores.deliveries.claimDue(everything)
  expect(claimed.map(({ claim, body }) => [claim.eventId, Buffer.from(body).toString()])).toEqual(
    log.map(({ id, body }) => [id, body]),
  )
  const runs = [...new Set(claimed.map(({ claim }) => claim.run))]
  expect(runs).toEqual([
    { seq: 1n, size: 64 },
    { seq: 65n, size: 64 },
    { seq: 129n, size: 2 },
  ])
  const leased = await harness.sql('select event_ids from quipu.delivery_run order by first_seq')
  expect(leased.flatMap((run) => run['event_ids'])).toEqual(log.map(({ id }) => id))
})
