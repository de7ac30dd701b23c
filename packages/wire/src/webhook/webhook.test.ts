import { tenantEventTypes, type WebhookEndpoint } from '@quipu/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { anyEndpoint, anyResult } from './webhook.fixture.ts'
import {
  reactivatedWebhook,
  reactivatedWebhookToJson,
  webhook,
  webhookTest,
  webhookTestToJson,
  webhookToJson,
  webhookWithQueue,
  webhookWithQueueToJson,
  webhookWithSecret,
  webhookWithSecretToJson,
} from './webhook.ts'

const endpoint: WebhookEndpoint = {
  id: 'we_01K6HZ8M00000000000000000A',
  tenantId: 'ten_01K6HZ8M00000000000000000B',
  url: 'https://example.com/quipu',
  events: ['payout.completed'],
  description: null,
  status: 'paused',
  consecutiveFailures: 5,
  pausedAt: new Date('2026-11-20T15:04:05.000Z'),
  isPausedByTenant: false,
  operatorPause: null,
  secrets: [
    { lastFour: '3f9c', expiresAt: null },
    { lastFour: '0a0a', expiresAt: new Date('2026-11-21T15:04:05.000Z') },
  ],
  createdAt: new Date('2026-11-19T15:04:05.000Z'),
  updatedAt: new Date('2026-11-20T15:04:05.001Z'),
}

test('an endpoint has exactly these members, in this order, and never its tenant or secret', () => {
  expect(JSON.stringify(webhookToJson(endpoint))).toBe(
    JSON.stringify({
      id: endpoint.id,
      url: 'https://example.com/quipu',
      events: ['payout.completed'],
      description: null,
      status: 'paused',
      consecutive_exhausted: 5,
      paused_at: '2026-11-20T15:04:05.000Z',
      paused_by: 'failures',
      secrets: [
        { last_four: '3f9c', expires_at: null },
        { last_four: '0a0a', expires_at: '2026-11-21T15:04:05.000Z' },
      ],
      created_at: '2026-11-19T15:04:05.000Z',
      updated_at: '2026-11-20T15:04:05.001Z',
    }),
  )
})

test('a tenant sees that an operator paused its endpoint, and neither who nor why', () => {
  const operatorPause = { by: 'omar', at: endpoint.createdAt, reason: 'Complaints.' }
  const json = webhookToJson({ ...endpoint, operatorPause })
  expect(json).toEqual({ ...webhookToJson(endpoint), paused_by: 'operator' })
  const active = { ...endpoint, status: 'active', pausedAt: null } as const
  expect(webhookToJson(active).paused_by).toBeNull()
})

test('every endpoint satisfies its schemas, with secret, queue and reactivation', () => {
  fc.assert(
    fc.property(anyEndpoint, fc.nat(), (given, n) => {
      const json = webhookToJson(given)
      expect(webhook.parse(json)).toEqual(json)
      const issued = webhookWithSecretToJson(given, 'whsec_x')
      expect(webhookWithSecret.parse(issued)).toEqual({ ...json, secret: 'whsec_x' })
      const queued = webhookWithQueueToJson(given, n)
      expect(webhookWithQueue.parse(queued)).toEqual({ ...json, queued: n })
      const again = reactivatedWebhookToJson({ endpoint: given, requeued: n, redelivered: 2 })
      expect(reactivatedWebhook.parse(again)).toEqual({ ...json, requeued: n, redelivered: 2 })
    }),
  )
})

test('an endpoint without a filter shows *, which it takes back', () => {
  expect(webhookToJson({ ...endpoint, events: null }).events).toEqual(['*'])
  expect(tenantEventTypes).not.toContain('webhook.test')
})

test('an endpoint whose filter has no type shows webhook.test', () => {
  expect(webhookToJson({ ...endpoint, events: [] }).events).toEqual(['webhook.test'])
})

test('the document lists every type of event that an endpoint can show, and webhook.test', () => {
  const document = JSON.stringify(z.toJSONSchema(webhook.shape.events))
  for (const type of [...tenantEventTypes, 'webhook.test']) expect(document).toContain(`"${type}"`)
})

test('the result of a test has no excerpt of the receiver’s answer', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      const json = webhookTestToJson('0199a3f4-5c00-7000-8000-000000000001', result)
      expect(webhookTest.parse(json)).toEqual(json)
      expect(json).toEqual({
        event_id: '0199a3f4-5c00-7000-8000-000000000001',
        delivered: result.error === null,
        status_code: result.statusCode,
        latency_ms: Math.round(result.latencyMs),
        error: result.error,
      })
    }),
  )
})
