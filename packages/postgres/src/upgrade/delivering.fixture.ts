import { defaultEndpointPolicy } from '@quipu/core'
import type { AttemptRecord } from '@quipu/core/adapter'
import type { World } from '@quipu/contracts'

export type Delivering = {
  /** @returns the id of an endpoint that is sent every event */
  newEndpoint(tenantId: string): Promise<string>
  /** The tenant's events, newest first: id, type, subject and bytes. */
  events(tenantId: string): Promise<readonly string[]>
  /** Claims due deliveries. The result records an attempt of each, and returns the outcome of each event. */
  claimDeliveries(limit?: number): Promise<(statusCode: number) => Promise<Record<string, string>>>
  /** The endpoint's deliveries, newest first: event, status and the status codes of the attempts. */
  deliveries(tenantId: string, endpointId: string): Promise<readonly string[]>
  resend(tenantId: string, endpointId: string, eventId: string): Promise<string>
}

export function delivering(w: World): Delivering {
  return {
    newEndpoint: async (tenantId) => {
      const createdAt = new Date()
      const id = w.ids.next('we', createdAt)
      const endpoint = {
        id,
        tenantId,
        url: 'https://hooks.example/quipu',
        events: null,
        description: null,
        status: 'active',
        consecutiveFailures: 0,
        pausedAt: null,
        operatorPause: null,
        createdAt,
        updatedAt: createdAt,
      } as const
      const secrets = [{ ciphertext: `1.${id}`, createdAt, expiresAt: null }]
      await w.webhooks.insert({ endpoint, secrets }, defaultEndpointPolicy)
      return id
    },
    events: async (tenantId) => {
      const { items } = await w.events.list(tenantId, { limit: 100 })
      const text = new TextDecoder()
      return items.map(
        ({ id, type, subjectId, body }) => `${id} ${type} ${subjectId} ${text.decode(body)}`,
      )
    },
    claimDeliveries: async (limit = 100) => {
      const share = { limit, leaseSeconds: 30, perEndpoint: 100, perTenant: 100 }
      const query = { ...share, deliveryClass: 'fast', catchUpPerSecond: 1_000_000 } as const
      const claimed = await w.deliveries.claimDue(query)
      return async (statusCode) => {
        const results: Record<string, string> = {}
        for (const { claim } of claimed) {
          const recorded = await w.deliveries.record({ claim, ...attemptAnswered(statusCode) })
          results[claim.eventId] = recorded.type
        }
        return results
      }
    },
    deliveries: async (tenantId, endpointId) => {
      const { items } = await w.deliveries.list(tenantId, endpointId, { limit: 100 })
      return items.map(({ eventId, status, attempts }) =>
        [eventId, status, ...attempts.map((attempt) => attempt.statusCode)].join(' '),
      )
    },
    resend: (tenantId, endpointId, eventId) =>
      w.deliveries.resend(tenantId, { endpointId, eventId }),
  }
}

/** A failed attempt is due again at once. */
function attemptAnswered(statusCode: number): Omit<AttemptRecord, 'claim'> {
  const isDelivered = statusCode < 300
  return {
    attempt: {
      at: new Date(),
      statusCode,
      latencyMs: 10,
      error: isDelivered ? null : 'STATUS',
      excerpt: 'ok',
    },
    decision: isDelivered ? { type: 'delivered' } : { type: 'retry', inMs: 0 },
    isSlow: false,
    pauseAfter: 5,
    alertAfterSeconds: 900,
  }
}
