import type { ExpectStatic } from 'vitest'
import { deliveryState } from './deliveries.fixture.ts'
import { until } from './process.fixture.ts'
import type { WebhookHarness } from './webhook-harness.fixture.ts'

const notDelivered = `select 1 from quipu.delivery where status <> 'delivered'`

/**
 * Expects that every stored event arrived at the receiver with its own id and bytes and a valid
 * signature, and is recorded as delivered.
 *
 * @param expect  of the test, because concurrent tests have no global one
 * @returns the number of arrivals of each event
 */
export async function expectAllDelivered(
  expect: ExpectStatic,
  { database, receiver }: Pick<WebhookHarness, 'database' | 'receiver'>,
): Promise<readonly number[]> {
  const deliveries = deliveryState(database)
  await until('every delivery has ended', async () => (await deliveries.queued()) === 0)
  expect(await database.query(notDelivered)).toEqual([])
  expect(receiver.rejections).toEqual([])

  const events = await database.events()
  expect(new Set(receiver.arrivals.keys())).toEqual(new Set(events.keys()))
  expect((await deliveries.delivered()).toSorted()).toEqual([...events.keys()].toSorted())
  return Array.from(events, ([id, body]) => {
    const arrivals = receiver.arrivals.get(id) ?? []
    for (const arrival of arrivals) expect(arrival.body.equals(body)).toBe(true)
    return arrivals.length
  })
}
