import type { ExpectStatic } from 'vitest'
import { standingDeliveries } from './deliveries.fixture.ts'
import { until } from './process.fixture.ts'
import type { WebhookWorld } from './webhook-harness.fixture.ts'

const notDelivered = `select 1 from quipu.delivery where status <> 'delivered'`

/**
 * That every event that the database has was sent until it arrived, with its own id and bytes each
 * time, believed by a stock verifier each time, and that this is on record.
 *
 * @param expect  the test's own, since tests that run side by side have no other
 * @returns how often each has arrived
 */
export async function expectAllTold(
  expect: ExpectStatic,
  { database, receiver }: WebhookWorld,
): Promise<readonly number[]> {
  const deliveries = standingDeliveries(database)
  await until('nothing is left to be sent', async () => (await deliveries.queued()) === 0)
  expect(await database.query(notDelivered)).toEqual([])
  expect(receiver.faults).toEqual([])

  const events = await database.events()
  expect(new Set(receiver.arrivals.keys())).toEqual(new Set(events.keys()))
  expect((await deliveries.delivered()).toSorted()).toEqual([...events.keys()].toSorted())
  return Array.from(events, ([id, body]) => {
    const arrivals = receiver.arrivals.get(id) ?? []
    for (const arrival of arrivals) expect(arrival.body.equals(body)).toBe(true)
    return arrivals.length
  })
}
