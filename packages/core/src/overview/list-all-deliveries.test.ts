import { expect, test } from 'vitest'
import type { EventRecord } from '../event/event.ts'
import type { PagePosition } from '../page.ts'
import type { Delivery, DeliveryStatus } from '../webhook/delivery.ts'
import { someEndpoint } from '../webhook/endpoint.fixture.ts'
import { type AllDeliveriesQuery, deliveryPlace, listAllDeliveries } from './list-all-deliveries.ts'
import type { EndpointOverview } from './ports.ts'

const ulid = (last: string): string => `01KAGZ8M88000000000000000${last}`
const endpointIds = ['A', 'B', 'C'].map((last) => `we_${ulid(last)}`)
/** The id after the second one has other digits before the last group. */
const eventIds = [
  '019aa1f4-54f0-7000-8000-000000000001',
  '019aa1f4-54f0-7000-8000-ffffffffffff',
  '019aa1f4-54f0-7000-8001-000000000000',
]
const [endpointId = ''] = endpointIds
const [eventId = ''] = eventIds
const at = new Date('2026-11-21T12:00:00.000Z')

const deliveryOf = (of: string, to: string, status: DeliveryStatus): Delivery => ({
  tenantId: 'ten_1',
  endpointId: to,
  eventId: of,
  eventType: 'payout.completed',
  createdAt: at,
  status,
  nextAttemptAt: null,
  endedAt: null,
  attempts: [],
})
/** Every event's delivery to every endpoint, newest event first, of one event those to higher endpoints. */
const all = eventIds
  .toReversed()
  .flatMap((of) =>
    endpointIds.toReversed().map((to) => deliveryOf(of, to, to === endpointId ? 'pending' : 'delivered')),
  )

const overviewOf = (id: string): EndpointOverview => ({
  endpoint: { ...someEndpoint, id },
  queued: 0,
  oldestQueuedAt: null,
  isSlow: false,
  failingSince: null,
})

const list = listAllDeliveries({
  overview: {
    endpoints: async ({ tenantId }) => ({ items: tenantId === 'ten_1' ? endpointIds.map(overviewOf) : [], next: null }),
    endpoint: async (id) => (endpointIds.includes(id) ? overviewOf(id) : undefined),
    event: async (id): Promise<EventRecord | undefined> =>
      eventIds.includes(id)
        ? {
            id,
            tenantId: 'ten_1',
            type: 'payout.completed',
            subjectId: 'po_1',
            occurredAt: at,
            recordedAt: at,
            body: new Uint8Array(),
          }
        : undefined,
    // In no order.
    deliveriesOf: async (_, of) => [1, 0, 2].flatMap((i) => all.filter((each) => each.eventId === of)[i] ?? []),
  },
  deliveries: {
    list: async (_, to, { limit, after, status }) => ({
      items: all
        .filter((each) => each.endpointId === to && (status ?? each.status) === each.status)
        .filter((each) => after === undefined || each.eventId < after.id)
        .slice(0, limit),
      next: null,
    }),
  },
})

/** The items of each page, to the last one. */
async function pages(query: Omit<AllDeliveriesQuery, 'after'>): Promise<Delivery[][]> {
  const read: Delivery[][] = []
  for (let next: PagePosition | null | undefined; next !== null && read.length < 20;) {
    const page = await list({ ...query, ...(next && { after: next }) })
    read.push([...page.items])
    ;({ next } = page)
  }
  return read
}

test.each([
  [1, [1, 1, 1, 1, 1, 1, 1, 1, 1]],
  [2, [2, 2, 2, 2, 1]],
  [3, [3, 3, 3]],
  [8, [8, 1]],
  [9, [9]],
  [10, [9]],
])('pages of %i are full up to the last one, newest event first', async (limit, lengths) => {
  const read = await pages({ of: { tenantId: 'ten_1' }, limit })
  expect(read.map(({ length }) => length)).toEqual(lengths)
  expect(read.flat()).toEqual(all)
})

test.each([1, 2, 3])('pages of %i of one event end with its last delivery', async (limit) => {
  const read = await pages({ of: { eventId }, limit })
  expect(read.flat()).toEqual(all.slice(-3))
  expect(read).toHaveLength(Math.ceil(3 / limit))
})

test('an event has its deliveries of the wanted status, tenant and endpoint', async () => {
  const found = async (query: Omit<AllDeliveriesQuery, 'limit'>) =>
    (await list({ ...query, limit: 10 })).items.map((each) => each.endpointId.at(-1)).join('')
  const of = { eventId }
  expect(await found({ of, status: 'pending' })).toBe('A')
  expect(await found({ of, status: 'delivered' })).toBe('CB')
  expect(await found({ of, status: 'held' })).toBe('')
  expect(await found({ of: { ...of, tenantId: 'ten_1' } })).toBe('CBA')
  expect(await found({ of: { ...of, tenantId: 'ten_2' } })).toBe('')
  expect(await found({ of: { ...of, endpointId } })).toBe('A')
  expect(await found({ of: { eventId: '019aa1f4-54f0-7000-8000-00000000000b' } })).toBe('')
})

test('an endpoint has its deliveries, with its own tenant or with none', async () => {
  const found = async (of: AllDeliveriesQuery['of']) => (await list({ of, limit: 10 })).items
  const expected = all.filter((each) => each.endpointId === endpointId)
  expect(expected).toHaveLength(3)
  expect(await found({ endpointId })).toEqual(expected)
  expect(await found({ endpointId, tenantId: 'ten_1' })).toEqual(expected)
  expect(await found({ endpointId, tenantId: 'ten_2' })).toEqual([])
  expect(await found({ endpointId: `we_${ulid('D')}` })).toEqual([])
})

test('a page without deliveries is the last one', async () => {
  expect(await list({ of: { tenantId: 'ten_2' }, limit: 1 })).toEqual({ items: [], next: null })
})

test('a place is the id of an event and the digits of an endpoint, and nothing around them', () => {
  const place = `${eventId}_${ulid('A')}`
  expect(deliveryPlace.test(place)).toBe(true)
  for (const other of [`0${place}`, `${place}0`, eventId, place.replace('_', '-')])
    expect(deliveryPlace.test(other), other).toBe(false)
})
