import type { ClaimedDelivery, DeliveryClaimQuery, DeliveryRef } from '@quipu/core/adapter'
import { type Database, secondsAfter } from '../table/database.ts'
import type { DeliveryRow, WebhookRow } from '../table/webhook-row.ts'

type Due = readonly [row: WebhookRow, delivery: DeliveryRow]

/**
 * The deliveries to claim now, within the limits of each endpoint and tenant. Endpoints take turns: the
 * first is the one after the endpoint that was served last.
 */
export function dueDeliveries(database: Database, query: DeliveryClaimQuery): readonly Due[] {
  const now = database.now()
  const rows = Array.from(database.webhooks.values())
  const start = 1 + rows.findIndex(({ endpoint }) => endpoint.id === database.lastClaimed)
  const turns = [...rows.slice(start), ...rows.slice(0, start)].filter(
    ({ isSlow }) => isSlow === (query.deliveryClass === 'slow'),
  )
  const shares = sharesLeft(turns, query, now)
  const found: Due[] = []
  for (const row of turns) {
    if (found.length >= query.limit) break
    const { id, tenantId } = row.endpoint
    const share = shares.get(tenantId) ?? 0
    const due = dueOf(row, query, now, Math.min(query.limit - found.length, share))
    if (due.length > 0) database.lastClaimed = id
    shares.set(tenantId, share - due.length)
    found.push(...due.map((delivery) => [row, delivery] as const))
  }
  return found
}

/** How many more deliveries of each tenant may be under way at these endpoints. */
function sharesLeft(rows: readonly WebhookRow[], { perTenant }: DeliveryClaimQuery, now: Date): Map<string, number> {
  const left = new Map<string, number>()
  for (const row of rows) {
    const { tenantId } = row.endpoint
    left.set(tenantId, (left.get(tenantId) ?? perTenant) - countInFlight(row, now))
  }
  return left
}

function dueOf(
  row: WebhookRow,
  { perEndpoint, catchUpPerSecond }: DeliveryClaimQuery,
  now: Date,
  limit: number,
): readonly DeliveryRow[] {
  const isActive = row.endpoint.status === 'active'
  const due = Array.from(row.open)
    .filter(({ nextAt, returnTo }) => nextAt <= now && (isActive || returnTo !== null))
    .toSorted((a, b) => dueSince(a).getTime() - dueSince(b).getTime())
  const remaining = Math.max(0, perEndpoint - countInFlight(row, now))
  if (!isActive || row.catchUpAt === null) return due.slice(0, Math.min(limit, remaining))
  const share = Math.floor(((now.getTime() - row.catchUpAt.getTime()) / 1000) * catchUpPerSecond)
  const allowed = Math.min(remaining, share)
  if (allowed <= 0) return []
  const taken = due.slice(0, Math.min(limit, allowed))
  const used = row.catchUpAt.getTime() + (1000 * taken.length) / catchUpPerSecond
  const isLast = taken.length === due.length && due.length < allowed
  row.catchUpAt = isLast ? null : new Date(Math.max(used, now.getTime() - 1000))
  return taken
}

/** When a delivery that is due or queued became due. */
export const dueSince = ({ dueAt, nextAt }: DeliveryRow): Date => dueAt ?? nextAt

const countInFlight = (row: WebhookRow, now: Date): number =>
  Array.from(row.open).filter(({ inFlightUntil }) => inFlightUntil !== null && inFlightUntil > now).length

/** Leases or enqueues a delivery, and counts a lease that ended without a recorded attempt. */
export function putInFlight(delivery: DeliveryRow, isLeased: boolean, now: Date, leaseSeconds: number): void {
  if (delivery.isLeased) delivery.lostLeases++
  delivery.isLeased = isLeased
  delivery.dueAt = isLeased ? null : dueSince(delivery)
  delivery.inFlightUntil = delivery.nextAt = secondsAfter(now, leaseSeconds)
}

export function lease(row: WebhookRow, delivery: DeliveryRow, now: Date, leaseSeconds: number): ClaimedDelivery {
  putInFlight(delivery, true, now, leaseSeconds)
  if (delivery.generation < row.generation) Object.assign(delivery, { generation: row.generation, attempt: 0 })
  delivery.fencingToken++
  return {
    claim: { ...refOf(row, delivery), fencingToken: delivery.fencingToken },
    tenantId: delivery.event.tenantId,
    url: row.endpoint.url,
    secrets: row.secrets,
    body: delivery.event.body,
    attempt: delivery.attempt + 1,
    isResend: delivery.returnTo !== null,
    lostLeases: delivery.lostLeases,
  }
}

export const refOf = (row: WebhookRow, delivery: DeliveryRow): DeliveryRef => ({
  endpointId: row.endpoint.id,
  eventId: delivery.event.id,
})
