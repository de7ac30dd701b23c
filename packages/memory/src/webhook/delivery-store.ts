import type { Delivery } from '@quipu/core'
import {
  attemptsOnRecord,
  type AttemptRecord,
  type ClaimedDelivery,
  type DeliveryRef,
  type DeliveryStore,
  type EventRecord,
  type RecordedAttempt,
  type ReplayedBatch,
  type ReplayQuery,
  type ResendResult,
  consecutiveFailuresAfter,
} from '@quipu/core/adapter'
import { type Database, secondsAfter } from '../table/database.ts'
import type { DeliveryRow, WebhookRow } from '../table/webhook-row.ts'
import { addDelivery, wants } from './fan-out.ts'
import { dueDeliveries, lease, putInFlight, refOf } from './delivery-claims.ts'

export const memoryDeliveryStore = (database: Database): DeliveryStore => ({
  get: async (tenantId, { endpointId, eventId }) => {
    const { endpoint, deliveries } = own(database, tenantId, endpointId) ?? {}
    const row = deliveries?.get(eventId)
    return endpoint && row && viewDelivery(endpoint, row)
  },
  list: async (tenantId, endpointId, query) => {
    const row = own(database, tenantId, endpointId)
    if (!row) return { items: [], next: null }
    const page = row.order.page(query, (id) => {
      const delivery = row.deliveries.get(id)
      const shown = delivery && viewDelivery(row.endpoint, delivery)
      const isLeftOut = query.status !== undefined && shown?.status !== query.status
      return !shown || isLeftOut ? undefined : { id, createdAt: shown.createdAt, shown }
    })
    return { ...page, items: page.items.map(({ shown }) => shown) }
  },
  claimDue: async (query) =>
    dueDeliveries(database, query).map(([row, delivery]) => lease(row, delivery, database.now(), query.leaseSeconds)),
  claim: async (ref, leaseSeconds) => claimOne(database, ref, leaseSeconds),
  enqueue: async (query) =>
    dueDeliveries(database, query).map(([row, delivery]) => {
      const wasQueued = delivery.dueAt !== null
      putInFlight(delivery, false, database.now(), query.leaseSeconds)
      return { ...refOf(row, delivery), tenantId: delivery.event.tenantId, wasQueued }
    }),
  requeue: async (refs) => {
    for (const { endpointId, eventId } of refs) {
      const delivery = database.webhooks.get(endpointId)?.deliveries.get(eventId)
      if (!delivery || delivery.isLeased || delivery.inFlightUntil === null) continue
      delivery.inFlightUntil = null
      delivery.nextAt = delivery.dueAt ?? database.now()
    }
  },
  record: async (record) => recordAttempt(database, record),
  resend: async (tenantId, { endpointId, eventId }) => {
    const row = own(database, tenantId, endpointId)
    if (row?.endpoint.operatorPause) return 'paused_by_operator'
    return resend(row, eventId, database.now())
  },
  replay: async (tenantId, endpointId, query) => {
    const row = own(database, tenantId, endpointId)
    if (!row) return 'not_found'
    if (row.endpoint.operatorPause) return 'paused_by_operator'
    if (query.since > database.now()) return 'future'
    return replay(row, Array.from(database.tenants.get(tenantId)?.events.values() ?? []), query, database.now())
  },
})

/** Resends the events of a log, oldest first: `DeliveryStore.replay`. A position's id is the number of its event. */
function replay(row: WebhookRow, log: readonly EventRecord[], query: ReplayQuery, now: Date): ReplayedBatch {
  const numbered = log.map((event, index) => ({ event, number: index + 1 }))
  const batch = numbered
    .filter(({ event, number }) => event.recordedAt >= query.since && number > Number(query.after?.id ?? 0))
    .filter(({ event }) => wants(row, event))
    .slice(0, query.limit)
  let resent = 0
  for (const { event } of batch) {
    const result = resend(row, event.id, now)
    if (result === 'not_found') addDelivery(row, event, now)
    if (result !== 'pending') resent++
  }
  const last = batch.length === query.limit ? batch.at(-1) : undefined
  return { resent, next: last ? { createdAt: last.event.recordedAt, id: last.number.toString() } : null }
}

/** Makes a delivery due for one attempt, also while an operator's pause lasts: `DeliveryStore.resend`. */
export function resend(row: WebhookRow | undefined, eventId: string, now: Date): ResendResult {
  const delivery = row?.deliveries.get(eventId)
  if (!row || !delivery) return 'not_found'
  const { status: returnTo } = viewDelivery(row.endpoint, delivery)
  const isOut = delivery.inFlightUntil !== null && delivery.inFlightUntil > now
  if (returnTo === 'pending' || (returnTo === 'held' && isOut)) return 'pending'
  if (returnTo !== 'held') delivery.attempt = 0
  if (delivery.isLeased) delivery.lostLeases++
  const again = { status: 'pending', returnTo, nextAt: now, inFlightUntil: null, dueAt: null } as const
  Object.assign(delivery, again, { isLeased: false })
  row.open.add(delivery)
  return 'committed'
}

const own = (database: Database, tenantId: string, endpointId: string): WebhookRow | undefined =>
  database.tenants.get(tenantId)?.webhooks.get(endpointId)

function claimOne(
  database: Database,
  { endpointId, eventId }: DeliveryRef,
  leaseSeconds: number,
): ClaimedDelivery | undefined {
  const row = database.webhooks.get(endpointId)
  const delivery = row?.deliveries.get(eventId)
  if (!row || delivery?.status !== 'pending') return undefined
  const now = database.now()
  const isLeased = delivery.isLeased && delivery.inFlightUntil !== null && delivery.inFlightUntil > now
  const isDue = delivery.nextAt <= now || delivery.inFlightUntil !== null
  return isHeld(row.endpoint, delivery) || isLeased || !isDue ? undefined : lease(row, delivery, now, leaseSeconds)
}

function recordAttempt(database: Database, record: AttemptRecord): RecordedAttempt {
  const { claim, attempt, isSlow } = record
  const row = database.webhooks.get(claim.endpointId)
  const delivery = row?.deliveries.get(claim.eventId)
  if (!row || delivery?.status !== 'pending' || delivery.fencingToken !== claim.fencingToken || !delivery.isLeased)
    return { type: 'stale' }
  delivery.attempts = [...delivery.attempts, attempt].slice(-attemptsOnRecord)
  delivery.inFlightUntil = null
  delivery.isLeased = false
  delivery.lostLeases = 0
  row.isSlow = isSlow
  const now = database.now()
  const applied = { type: 'recorded', ...applyDecision(row, delivery, record, now) } as const
  return isFoundFailing(row, record, now) ? { ...applied, isFailingLong: true } : applied
}

/** Whether this record is the first one that finds the active endpoint failing for long. */
function isFoundFailing(row: WebhookRow, { decision, alertAfterSeconds }: AttemptRecord, now: Date): boolean {
  row.failingSince = decision.type === 'delivered' ? null : (row.failingSince ?? now)
  const isLong = row.failingSince !== null && row.failingSince <= secondsAfter(now, -alertAfterSeconds)
  const isFound = isLong && !row.isFailingLong && row.endpoint.status === 'active'
  row.isFailingLong = row.failingSince !== null && (row.isFailingLong || isFound)
  return isFound
}

/** Applies the retry decision to the delivery and its endpoint. */
function applyDecision(
  row: WebhookRow,
  delivery: DeliveryRow,
  { decision, pauseAfter }: AttemptRecord,
  now: Date,
): { readonly consecutiveFailures: number; readonly hasPaused: boolean } {
  const { consecutiveFailures, status } = row.endpoint
  const unchanged = { consecutiveFailures, hasPaused: false }
  const { returnTo } = delivery
  if (returnTo !== null) {
    const hasArrived = decision.type === 'delivered'
    if (hasArrived) end(row, delivery, { status: 'delivered', endedAt: now })
    else if (returnTo === 'held') Object.assign(delivery, { returnTo: null, nextAt: now })
    else end(row, delivery, { status: returnTo, endedAt: delivery.endedAt })
    return unchanged
  }
  if (decision.type === 'retry') {
    delivery.attempt++
    delivery.nextAt = new Date(now.getTime() + decision.inMs)
    return unchanged
  }
  // The endpoint was reactivated during the last attempt of the older generation.
  if (decision.type === 'exhausted' && delivery.generation < row.generation) {
    delivery.nextAt = now
    return unchanged
  }
  end(row, delivery, { status: decision.type, endedAt: now })
  const next = consecutiveFailuresAfter(consecutiveFailures, decision.type)
  const hasPaused = status === 'active' && next >= pauseAfter
  row.endpoint = {
    ...row.endpoint,
    consecutiveFailures: next,
    ...(hasPaused && { status: 'paused', pausedAt: now, updatedAt: now }),
  }
  return { consecutiveFailures: next, hasPaused }
}

function end(
  row: WebhookRow,
  delivery: DeliveryRow,
  { status, endedAt }: Pick<DeliveryRow, 'status' | 'endedAt'>,
): void {
  delivery.status = status
  delivery.endedAt = endedAt
  delivery.returnTo = null
  row.open.delete(delivery)
}

export const viewDelivery = (endpoint: WebhookRow['endpoint'], row: DeliveryRow): Delivery => ({
  tenantId: row.event.tenantId,
  endpointId: endpoint.id,
  eventId: row.event.id,
  eventType: row.event.type,
  createdAt: row.event.recordedAt,
  status: isHeld(endpoint, row) ? 'held' : row.status,
  nextAttemptAt: row.status === 'pending' && !isHeld(endpoint, row) ? row.nextAt : null,
  endedAt: row.status === 'pending' ? null : row.endedAt,
  attempts: row.attempts,
})

const isHeld = (endpoint: WebhookRow['endpoint'], { status, returnTo }: DeliveryRow): boolean =>
  endpoint.status === 'paused' && status === 'pending' && returnTo === null
