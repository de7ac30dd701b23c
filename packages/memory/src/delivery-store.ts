import {
  attemptsOnRecord,
  type AttemptRecord,
  type ClaimedDelivery,
  type Delivery,
  type DeliveryRef,
  type DeliveryStore,
  type Recorded,
  streakAfter,
} from '@quipu/core'
import type { Database, DeliveryRow, WebhookRow } from './database.ts'
import { dueDeliveries, lease, putOut, refOf } from './delivery-claims.ts'

export const memoryDeliveryStore = (database: Database): DeliveryStore => ({
  get: async (tenantId, { endpointId, eventId }) => {
    const row = own(database, tenantId, endpointId)?.deliveries.get(eventId)
    return row && view(endpointId, row)
  },
  list: async (tenantId, endpointId, query) => {
    const row = own(database, tenantId, endpointId)
    if (!row) return { items: [], next: null }
    const page = row.order.page(query, (id) => {
      const delivery = row.deliveries.get(id)
      const isLeftOut = query.status !== undefined && delivery?.status !== query.status
      if (!delivery || isLeftOut) return undefined
      return { id, createdAt: delivery.event.recordedAt, delivery }
    })
    return { ...page, items: page.items.map(({ delivery }) => view(endpointId, delivery)) }
  },
  claimDue: async (query) =>
    dueDeliveries(database, query).map(([row, delivery]) =>
      lease(row, delivery, database.now(), query.leaseSeconds),
    ),
  claim: async (ref, leaseSeconds) => claimOne(database, ref, leaseSeconds),
  handOut: async (query) =>
    dueDeliveries(database, query).map(([row, delivery]) => {
      putOut(delivery, false, database.now(), query.leaseSeconds)
      return { ...refOf(row, delivery), tenantId: delivery.event.tenantId }
    }),
  takeBack: async (refs) => {
    for (const { endpointId, eventId } of refs) {
      const delivery = database.webhooks.get(endpointId)?.deliveries.get(eventId)
      if (!delivery || delivery.isLeased || delivery.outUntil === null) continue
      delivery.outUntil = null
      delivery.nextAt = database.now()
    }
  },
  record: async (record) => recordAttempt(database, record),
  resend: async (tenantId, { endpointId, eventId }) => {
    const row = own(database, tenantId, endpointId)
    const delivery = row?.deliveries.get(eventId)
    if (!row || !delivery) return 'not_found'
    if (delivery.status === 'pending') return 'pending'
    const { status: returnTo } = delivery
    Object.assign(delivery, { status: 'pending', returnTo, nextAt: database.now(), attempt: 0 })
    row.open.add(delivery)
    return 'committed'
  },
})

const own = (database: Database, tenantId: string, endpointId: string): WebhookRow | undefined =>
  database.rooms.get(tenantId)?.webhooks.get(endpointId)

function claimOne(
  database: Database,
  { endpointId, eventId }: DeliveryRef,
  leaseSeconds: number,
): ClaimedDelivery | undefined {
  const row = database.webhooks.get(endpointId)
  const delivery = row?.deliveries.get(eventId)
  if (!row || delivery?.status !== 'pending') return undefined
  const now = database.now()
  const isHeld = row.endpoint.status === 'paused' && delivery.returnTo === null
  const isLeased = delivery.isLeased && delivery.outUntil !== null && delivery.outUntil > now
  const isDue = delivery.nextAt <= now || delivery.outUntil !== null
  return isHeld || isLeased || !isDue ? undefined : lease(row, delivery, now, leaseSeconds)
}

function recordAttempt(database: Database, record: AttemptRecord): Recorded {
  const { claim, attempt, isSlow } = record
  const row = database.webhooks.get(claim.endpointId)
  const delivery = row?.deliveries.get(claim.eventId)
  if (
    !row ||
    delivery?.status !== 'pending' ||
    delivery.fence !== claim.fence ||
    !delivery.isLeased
  )
    return { type: 'stale' }
  delivery.attempts = [...delivery.attempts, attempt].slice(-attemptsOnRecord)
  delivery.outUntil = null
  delivery.isLeased = false
  delivery.lostLeases = 0
  row.isSlow = isSlow
  return { type: 'recorded', ...conclude(row, delivery, record, database.now()) }
}

/** What follows from the attempt for the delivery, and for its endpoint. */
function conclude(
  row: WebhookRow,
  delivery: DeliveryRow,
  { verdict, pauseAfter }: AttemptRecord,
  now: Date,
): { readonly streak: number; readonly hasPaused: boolean } {
  const { consecutiveExhausted: streak, status } = row.endpoint
  const unchanged = { streak, hasPaused: false }
  const { returnTo } = delivery
  if (returnTo !== null) {
    const hasArrived = verdict.type === 'delivered'
    const endedAt = hasArrived ? now : delivery.endedAt
    end(row, delivery, { status: hasArrived ? 'delivered' : returnTo, endedAt })
    return unchanged
  }
  if (verdict.type === 'retry') {
    delivery.attempt++
    delivery.nextAt = new Date(now.getTime() + verdict.inMs)
    return unchanged
  }
  // The endpoint was reactivated while the last attempt of the old ladder was under way.
  if (verdict.type === 'exhausted' && delivery.round < row.round) {
    delivery.nextAt = now
    return unchanged
  }
  end(row, delivery, { status: verdict.type, endedAt: now })
  const next = streakAfter(streak, verdict.type)
  const hasPaused = status === 'active' && next >= pauseAfter
  row.endpoint = {
    ...row.endpoint,
    consecutiveExhausted: next,
    ...(hasPaused && { status: 'paused', pausedAt: now, updatedAt: now }),
  }
  return { streak: next, hasPaused }
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

const view = (endpointId: string, row: DeliveryRow): Delivery => ({
  tenantId: row.event.tenantId,
  endpointId,
  eventId: row.event.id,
  eventType: row.event.type,
  createdAt: row.event.recordedAt,
  status: row.status,
  nextAttemptAt: row.status === 'pending' ? row.nextAt : null,
  endedAt: row.status === 'pending' ? null : row.endedAt,
  attempts: row.attempts,
})
