import { defaultEndpointPolicy } from '@quipu/core'
import { expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { attemptAt, eventsHappen, everything, newReceiver } from '../test/deliveries.fixture.ts'

const harness = useStoreHarness()

test('a delivery that a reactivation changes meanwhile is due again when the queue refuses it', async () => {
  const { deliveries, url } = harness.stores
  const [tenantId, id] = await newReceiver(harness)
  await harness.sql(eventsHappen, [tenantId, 1])
  const [claimed] = await deliveries.claimDue(everything)
  if (!claimed) throw new Error('nothing is due')
  await deliveries.record(attemptAt(claimed, { type: 'exhausted' }))
  await deliveries.resend(tenantId, claimed.claim)
  const deliveryClass = 'fast'
  const queued = await deliveries.enqueue({ ...everything, deliveryClass })
  expect(queued).toHaveLength(1)

  const other = await openTransaction(url)
  await other.sql('select quipu.reactivate_endpoint($1, $2, $3, now(), null)', [
    tenantId,
    id,
    defaultEndpointPolicy.redeliverSeconds,
  ])
  const requeueing = deliveries.requeue(queued)
  await untilWaiting(harness.sql, 1, requeueing)
  await other.commit()
  await requeueing
  expect(await harness.sql('select in_flight_until, next_at <= now() as due from quipu.delivery_open')).toEqual([
    { in_flight_until: null, due: true },
  ])
})
