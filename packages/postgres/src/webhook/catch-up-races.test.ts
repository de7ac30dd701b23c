import { defaultEndpointPolicy } from '@quipu/core'
import { expect, test } from 'vitest'
import { openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { eventsHappen, everything, newReceiver } from '../test/deliveries.fixture.ts'

// The rate of an endpoint that catches up after a pause.

let clock = new Date(Date.now() + 60_000)
const harness = useStoreHarness({ clockOverride: () => clock })

const query = { ...everything, catchUpPerSecond: 50 }

/** A paused endpoint. */
async function pausedReceiver(isSlow: boolean): Promise<readonly [string, string]> {
  const [tenantId, id] = await newReceiver(harness)
  await harness.sql(
    `update quipu.webhook_endpoint set status = 'paused', paused_at = now(), is_slow = $2 where id = $1`,
    [id, isSlow],
  )
  return [tenantId, id]
}

/** Reactivates it a second ago. */
async function reactivate(tenantId: string, id: string): Promise<void> {
  await harness.stores.webhooks.reactivate(tenantId, id, defaultEndpointPolicy, clock)
  clock = new Date(clock.getTime() + 1_000)
}

test('a claim that meets a locked cursor of an endpoint that catches up leaves its rate limited', async () => {
  const [tenantId, id] = await pausedReceiver(true)
  await harness.sql(eventsHappen, [tenantId, 200])
  await reactivate(tenantId, id)
  const other = await openTransaction(harness.stores.url)
  // Reads the signal of the events, and with it locks the cursor of the slow endpoint.
  await other.sql(`select from quipu.claim_deliveries(9, 60, 9, 9, false, 50, true, '', false, $1)`, [clock])
  const slow = { ...query, deliveryClass: 'slow' } as const
  expect(await harness.stores.deliveries.claimDue(slow)).toEqual([])
  await other.commit()
  expect(await harness.stores.deliveries.claimDue(slow)).toHaveLength(50)
})

test('an endpoint that catches up has not caught up at the end of an earlier filter', async () => {
  const [tenantId, id] = await pausedReceiver(false)
  await harness.sql(eventsHappen, [tenantId, 1])
  await harness.stores.webhooks.update(tenantId, id, { events: ['payout.completed', 'payout.failed'] }, clock)
  await harness.sql(eventsHappen, [tenantId, 200])
  await reactivate(tenantId, id)
  expect(await harness.stores.deliveries.claimDue(query)).toHaveLength(50)
})
