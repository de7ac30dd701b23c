import { deliveryId, eventIdOfDelivery } from '@quipu/core/adapter'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { delivery, deliveryToJson, parseDeliveryList } from './delivery.ts'
import { delivered, held, retried } from './webhook-example.ts'
import { anyDelivery } from './webhook.fixture.ts'

test('a delivery has exactly these members, in this order', () => {
  const json = deliveryToJson(delivered)
  expect(Object.keys(json)).toEqual([
    'id',
    'webhook_id',
    'event_id',
    'event_type',
    'status',
    'attempts',
    'next_attempt_at',
    'created_at',
    'ended_at',
  ])
  expect(json.attempts).toEqual([
    {
      at: '2026-11-20T15:04:07.000Z',
      status_code: 503,
      latency_ms: 41,
      error: 'STATUS',
      response_excerpt: 'down for maintenance',
    },
    {
      at: '2026-11-20T15:04:39.000Z',
      status_code: 200,
      latency_ms: 23,
      error: null,
      response_excerpt: '{"received":true}',
    },
  ])
})

test('every delivery satisfies its schema, and its id identifies event and endpoint', () => {
  fc.assert(
    fc.property(anyDelivery, (given) => {
      const json = deliveryToJson(given)
      expect(delivery.parse(json)).toEqual(json)
      expect(json.id).toBe(deliveryId(given.endpointId, given.eventId))
      expect(eventIdOfDelivery(json.webhook_id, json.id)).toBe(json.event_id)
    }),
  )
})

test('a held delivery has no next attempt', () => {
  expect(deliveryToJson(retried)).toMatchObject({
    status: 'pending',
    next_attempt_at: '2026-11-20T15:04:38.000Z',
    ended_at: null,
  })
  expect(deliveryToJson(held)).toMatchObject({ status: 'held', next_attempt_at: null, ended_at: null })
  expect(deliveryToJson(delivered)).toMatchObject({ status: 'delivered', ended_at: '2026-11-20T15:04:39.000Z' })
})

test('a list is read with its status and its page', () => {
  expect(parseDeliveryList('ten_1', 'we_1', 'status=held&limit=5')).toMatchObject({
    ok: true,
    value: { query: { limit: 5, status: 'held' } },
  })
  const all = parseDeliveryList('ten_1', 'we_1', '')
  expect(all.ok && Object.keys(all.value.query)).toEqual(['limit'])
})

test('a cursor is valid for one endpoint and one status', () => {
  const scopes = [
    parseDeliveryList('ten_1', 'we_1', ''),
    parseDeliveryList('ten_1', 'we_1', 'status=held'),
    parseDeliveryList('ten_1', 'we_2', ''),
    parseDeliveryList('ten_2', 'we_1', ''),
  ].map((parsed) => (parsed.ok ? parsed.value.scope.digest : ''))
  expect(new Set(scopes).size).toBe(4)
  expect(scopes).not.toContain('')
})

test.each(['status=sent', 'status=', 'limit=0', 'from=2026-11-20T15:04:05Z'])('the query %s is refused', (search) => {
  expect(parseDeliveryList('ten_1', 'we_1', search).ok).toBe(false)
})
