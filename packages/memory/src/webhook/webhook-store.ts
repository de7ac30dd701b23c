import type { EndpointPolicy } from '@quipu/core'
import { keyIdOf, type Reactivated, shownSecrets, type WebhookStore } from '@quipu/core/adapter'
import { countKeys } from '../count-keys.ts'
import { type Database, positionOf, tenantDataOf, secondsAfter } from '../table/database.ts'
import type { DeliveryRow, WebhookRow } from '../table/webhook-row.ts'
import { newestFirst } from '../newest-first.ts'

export function memoryWebhookStore(database: Database): WebhookStore {
  const find = (tenantId: string, id: string): WebhookRow | undefined =>
    database.tenants.get(tenantId)?.webhooks.get(id)
  return {
    insert: async ({ endpoint, secrets }, { endpointsPerTenant }) => {
      const { webhooks, webhookOrder } = tenantDataOf(database, endpoint.tenantId)
      if (webhooks.has(endpoint.id)) return 'committed'
      if (webhooks.size >= endpointsPerTenant) return 'limit_reached'
      const row: WebhookRow = {
        endpoint: { ...endpoint, secrets: shownSecrets(secrets) },
        secrets,
        isSlow: false,
        failingSince: null,
        isFailingLong: false,
        generation: 1,
        catchUpAt: null,
        deliveries: new Map(),
        open: new Set(),
        order: newestFirst(),
      }
      webhooks.set(endpoint.id, row)
      database.webhooks.set(endpoint.id, row)
      webhookOrder.add(positionOf(endpoint))
      return 'committed'
    },
    get: async (tenantId, id) => {
      const row = find(tenantId, id)
      return row && { endpoint: row.endpoint, secrets: row.secrets }
    },
    list: async (tenantId, query) => {
      const tenantData = database.tenants.get(tenantId)
      if (tenantData === undefined) return { items: [], next: null }
      return tenantData.webhookOrder.page(query, (id) => tenantData.webhooks.get(id)?.endpoint)
    },
    queued: async (tenantId, id) => find(tenantId, id)?.open.size ?? 0,
    update: async (tenantId, id, change, at) => {
      const row = find(tenantId, id)
      if (row) row.endpoint = { ...row.endpoint, ...change, updatedAt: at }
      return row?.endpoint
    },
    ...renewal(database, find),
    remove: async (tenantId, id) => {
      database.webhooks.delete(id)
      return database.tenants.get(tenantId)?.webhooks.delete(id) ?? false
    },
    rotate: async (tenantId, id, at, rotate) => {
      const row = find(tenantId, id)
      if (!row) return 'not_found'
      const secrets = rotate(row.secrets)
      if (!secrets) return 'refused'
      row.secrets = secrets
      row.endpoint = { ...row.endpoint, secrets: shownSecrets(secrets), updatedAt: at }
      return 'committed'
    },
    pause: async (tenantId, id, at) => {
      const row = find(tenantId, id)
      if (row && !row.endpoint.operatorPause && !row.endpoint.isPausedByTenant) {
        const pausedAt = row.endpoint.pausedAt ?? at
        row.endpoint = { ...row.endpoint, status: 'paused', pausedAt, isPausedByTenant: true, updatedAt: at }
      }
      return row?.endpoint
    },
    reactivate: async (tenantId, id, policy, at) => {
      const row = find(tenantId, id)
      if (row?.endpoint.operatorPause) return 'paused_by_operator'
      return row && reactivate(row, policy, at, database.now())
    },
  }
}

/** The methods for the renewal of secrets after a key's rotation. */
const renewal = (
  database: Database,
  find: (tenantId: string, id: string) => WebhookRow | undefined,
): Pick<WebhookStore, 'listByOtherKeys' | 'renewSecrets' | 'keyUse'> => ({
  listByOtherKeys: async (keyId, after, limit) =>
    Array.from(database.webhooks.values())
      .filter(
        ({ endpoint, secrets }) =>
          endpoint.id > after && secrets.some(({ ciphertext }) => keyIdOf(ciphertext) !== keyId),
      )
      .map(({ endpoint: { id, tenantId }, secrets }) => ({ id, tenantId, secrets }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit),
  renewSecrets: async ({ tenantId, id, secrets }, renewed) => {
    const row = find(tenantId, id)
    if (JSON.stringify(row?.secrets) !== JSON.stringify(secrets)) return false
    if (row) row.secrets = renewed
    return true
  },
  keyUse: async () =>
    countKeys(
      Array.from(database.webhooks.values(), ({ secrets }) => secrets.map(({ ciphertext }) => ciphertext)).flat(),
    ),
})

/** Activates an endpoint, also one that an operator paused: `WebhookStore.reactivate`. */
export function reactivate(
  row: WebhookRow,
  policy: Pick<EndpointPolicy, 'redeliverSeconds'>,
  at: Date,
  now: Date,
): Reactivated {
  const wasPaused = row.endpoint.status === 'paused'
  const waiting = Array.from(row.open).filter(({ returnTo }) => returnTo === null || returnTo === 'held')
  const requeued = wasPaused ? waiting : waiting.filter((each) => isLater(each, now))
  const since = secondsAfter(now, -policy.redeliverSeconds)
  // Includes deliveries that are being resent: they are exhausted again if the resend fails.
  const exhausted = Array.from(row.deliveries.values()).filter(
    ({ status, returnTo, endedAt }) => (returnTo ?? status) === 'exhausted' && endedAt !== null && endedAt >= since,
  )
  // Without anything to requeue, attempts that are under way stay counted.
  if (wasPaused || requeued.length + exhausted.length > 0) row.generation++
  for (const delivery of requeued) {
    delivery.returnTo = null
    if (delivery.inFlightUntil === null) Object.assign(delivery, { nextAt: now, dueAt: null })
  }
  for (const delivery of exhausted) {
    const again = { status: 'pending', returnTo: null, endedAt: null, generation: row.generation - 1 } as const
    Object.assign(delivery, again, delivery.inFlightUntil === null && { nextAt: now })
    row.open.add(delivery)
  }
  if (requeued.length + exhausted.length > 0) row.catchUpAt = now
  row.endpoint = {
    ...row.endpoint,
    status: 'active',
    consecutiveFailures: 0,
    pausedAt: null,
    isPausedByTenant: false,
    operatorPause: null,
    updatedAt: at,
  }
  return { endpoint: row.endpoint, requeued: requeued.length, redelivered: exhausted.length }
}

const isLater = ({ nextAt, inFlightUntil }: DeliveryRow, now: Date): boolean => inFlightUntil === null && nextAt > now
