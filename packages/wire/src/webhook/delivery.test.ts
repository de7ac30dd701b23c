import { expect, test } from 'vitest'
import { deliveryToJson } from './delivery.ts'
import { delivered, held, retried } from './webhook-example.ts'

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

test('a held delivery has no next attempt', () => {
  expect(deliveryToJson(retried)).toMatchObject({
    status: 'pending',
    next_attempt_at: '2026-11-20T15:04:38.000Z',
    ended_at: null,
  })
  expect(deliveryToJson(held)).toMatchObject({ status: 'held', next_attempt_at: null, ended_at: null })
  expect(deliveryToJson(delivered)).toMatchObject({ status: 'delivered', ended_at: '2026-11-20T15:04:39.000Z' })
})
