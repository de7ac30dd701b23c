import { defaultEndpointPolicy, type Delivery, type WebhookEndpoint } from '@quipu/core'
import { at, completed, tenant, ulid } from '../openapi/example.ts'

export const endpoint: WebhookEndpoint = {
  id: `we_${ulid('0G')}`,
  tenantId: tenant.id,
  url: 'https://example.com/quipu',
  events: null,
  description: 'orders backend',
  status: 'active',
  consecutiveFailures: 0,
  pausedAt: null,
  isPausedByTenant: false,
  operatorPause: null,
  secrets: [{ lastFour: '0a0a', expiresAt: null }],
  createdAt: at(-86_000),
  updatedAt: at(-86_000),
}

export const pausedEndpoint: WebhookEndpoint = {
  ...endpoint,
  events: ['payout.completed', 'payout.failed'],
  status: 'paused',
  consecutiveFailures: defaultEndpointPolicy.pauseAfter,
  pausedAt: at(86_400),
  updatedAt: at(86_400),
}

export const secret = `whsec_${'0a'.repeat(32)}`

/** An event of the endpoint, without its bytes. */
export const eventEnvelope = {
  id: '019aa1f4-54f0-7000-8000-00000000000b',
  tenantId: tenant.id,
  type: 'payout.completed',
  subjectId: completed.id,
  occurredAt: at(1),
  recordedAt: new Date(at(1).getTime() + 4),
} as const

const refusal = { at: at(2), statusCode: 503, latencyMs: 41, error: 'STATUS', excerpt: 'down for maintenance' } as const

export const retried: Delivery = {
  tenantId: tenant.id,
  endpointId: endpoint.id,
  eventId: eventEnvelope.id,
  eventType: eventEnvelope.type,
  createdAt: eventEnvelope.recordedAt,
  status: 'pending',
  nextAttemptAt: at(33),
  endedAt: null,
  attempts: [refusal],
}

export const held: Delivery = { ...retried, status: 'held', nextAttemptAt: null }

export const delivered: Delivery = {
  ...retried,
  status: 'delivered',
  nextAttemptAt: null,
  endedAt: at(34),
  attempts: [refusal, { at: at(34), statusCode: 200, latencyMs: 23, error: null, excerpt: '{"received":true}' }],
}
