import type { ExpectStatic } from 'vitest'
import { until } from './process.fixture.ts'
import type { WebhookWorld } from './webhook-world.fixture.ts'

type StoredEvent = { readonly id: string; readonly body: Buffer }

const isOpen = 'select 1 from quipu.delivery_open limit 1'
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
  await until('nothing is left to be sent', async () => {
    const open = await database.query(isOpen)
    return open.length === 0
  })
  expect(await database.query(notDelivered)).toEqual([])
  expect(receiver.faults).toEqual([])

  const events = await database.query<StoredEvent>('select id, body from quipu.event')
  expect(new Set(receiver.arrivals.keys())).toEqual(new Set(events.map(({ id }) => id)))
  return events.map(({ id, body }) => {
    const arrivals = receiver.arrivals.get(id) ?? []
    for (const arrival of arrivals) expect(arrival.body.equals(body)).toBe(true)
    return arrivals.length
  })
}
