import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, eventId, now } from '../test/delivery-states.fixture.ts'
import { openTransaction, startWaiting } from '../test/row-locks.fixture.ts'

// A reactivation that waits for a claim of one of its deliveries.

const harness = useStoreHarness()
beforeAll(() => deliveriesInAllStates(harness))

const reactivate = (id: string) =>
  `select requeued::int, redelivered::int
   from quipu.reactivate_endpoint('ten_1', '${id}', 1800, ${now}, ${now})`

/** Claims a delivery by name, and commits when a reactivation waits for it. */
async function reactivateDuringClaim(id: string, seq: number, instant: string) {
  const [claimer, caller] = [await openTransaction(harness), await openTransaction(harness)]
  await claimer(`select from quipu.claim_delivery('${id}', '1-${seq}', 60, ${instant})`)
  const { done } = await startWaiting(harness, caller, reactivate(id))
  await claimer('commit')
  const [counts] = await done
  await caller('commit')
  const [row] = await harness.sql(
    `select is_leased as leased, return_to from quipu.delivery_open
     where endpoint_id = $1 and event_id = $2`,
    [id, eventId(1, seq)],
  )
  return { ...counts, ...row }
}

test('a retry that has been claimed meanwhile is not due again', async () => {
  const result = await reactivateDuringClaim('we_a', 7, `${now} + interval '2 s'`)
  expect(result).toEqual({ requeued: 0, redelivered: 2, leased: true, return_to: null })
})

test('a resend that has been claimed meanwhile becomes an ordinary delivery', async () => {
  const result = await reactivateDuringClaim('we_b', 11, now)
  expect(result).toEqual({ requeued: 1, redelivered: 2, leased: true, return_to: null })
})
