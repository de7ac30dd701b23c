import { type Delivery, type TenantEventType, tenantEventTypes, type WebhookEndpoint } from '@quipu/core'
import type { DeliveryAttempt, AttemptError, AttemptResult } from '@quipu/core/adapter'
import { anyId, anyInstant, anyUuid } from '@quipu/contracts'
import fc from 'fast-check'

const anyType: fc.Arbitrary<TenantEventType> = fc.constantFrom(...tenantEventTypes)

export const anyEndpoint: fc.Arbitrary<WebhookEndpoint> = fc
  .record({
    id: anyId('we'),
    tenantId: anyId('ten'),
    url: fc.webUrl(),
    events: fc.option(fc.uniqueArray(anyType)),
    description: fc.option(fc.string()),
    consecutiveFailures: fc.nat(20),
    pausedAt: fc.option(anyInstant),
    isPausedByTenant: fc.boolean(),
    operatorPause: fc.option(fc.record({ by: fc.string(), at: anyInstant, reason: fc.string() })),
    secrets: fc.array(fc.record({ lastFour: fc.string(), expiresAt: fc.option(anyInstant) })),
    createdAt: anyInstant,
    updatedAt: anyInstant,
  })
  .map((endpoint) =>
    endpoint.pausedAt
      ? { ...endpoint, status: 'paused' }
      : { ...endpoint, status: 'active', isPausedByTenant: false, operatorPause: null },
  )

export const anyResult: fc.Arbitrary<AttemptResult> = fc.record({
  statusCode: fc.option(fc.integer({ min: 100, max: 599 })),
  latencyMs: fc.double({ min: 0, max: 10_000, noNaN: true }),
  error: fc.option(fc.constantFrom<AttemptError>('TIMEOUT', 'STATUS', 'ADDRESS_BLOCKED')),
  excerpt: fc.option(fc.string()),
})

const anyAttempt: fc.Arbitrary<DeliveryAttempt> = fc
  .tuple(anyResult, anyInstant)
  .map(([result, at]) => ({ ...result, at }))

export const anyDelivery: fc.Arbitrary<Delivery> = fc
  .record({
    tenantId: anyId('ten'),
    endpointId: anyId('we'),
    eventId: anyUuid,
    eventType: anyType,
    createdAt: anyInstant,
    at: anyInstant,
    status: fc.constantFrom('pending', 'held', 'delivered', 'exhausted'),
    attempts: fc.array(anyAttempt, { maxLength: 24 }),
  })
  .map(({ at, ...delivery }) => ({
    ...delivery,
    nextAttemptAt: delivery.status === 'pending' ? at : null,
    endedAt: delivery.status === 'pending' || delivery.status === 'held' ? null : at,
  }))
