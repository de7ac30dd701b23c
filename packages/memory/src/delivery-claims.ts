import type { ClaimedDelivery, ClaimQuery, DeliveryRef } from '@quipu/core'
import { type Database, type DeliveryRow, secondsAfter, type WebhookRow } from './database.ts'

type Due = readonly [row: WebhookRow, delivery: DeliveryRow]

/** Deliveries that may be claimed now: a few of each endpoint, beginning after the last one that was served. */
export function dueDeliveries(database: Database, query: ClaimQuery): readonly Due[] {
  const rows = Array.from(database.webhooks.values())
  const start = 1 + rows.findIndex(({ endpoint }) => endpoint.id === database.lastClaimed)
  const found: Due[] = []
  for (const row of [...rows.slice(start), ...rows.slice(0, start)]) {
    if (found.length >= query.limit) break
    if (row.isSlow !== (query.lane === 'slow')) continue
    const due = dueOf(row, query, database.now(), query.limit - found.length)
    if (due.length > 0) database.lastClaimed = row.endpoint.id
    found.push(...due.map((delivery) => [row, delivery] as const))
  }
  return found
}

function dueOf(
  row: WebhookRow,
  { perEndpoint, catchUpPerSecond }: ClaimQuery,
  now: Date,
  limit: number,
): readonly DeliveryRow[] {
  const open = Array.from(row.open)
  const out = open.filter(({ outUntil }) => outUntil !== null && outUntil > now).length
  const isActive = row.endpoint.status === 'active'
  const due = open
    .filter(({ nextAt, returnTo }) => nextAt <= now && (isActive || returnTo !== null))
    .toSorted((a, b) => a.nextAt.getTime() - b.nextAt.getTime())
  const room = Math.min(limit, Math.max(0, perEndpoint - out))
  if (!isActive || row.drainedAt === null) return due.slice(0, room)
  const credit = Math.floor(((now.getTime() - row.drainedAt.getTime()) / 1000) * catchUpPerSecond)
  const taken = due.slice(0, Math.min(room, credit))
  if (taken.length > 0) row.drainedAt = now
  if (due.length < credit) row.drainedAt = null
  return taken
}

/** Gives a delivery away; one whose lease has ended without a record is counted. */
export function putOut(
  delivery: DeliveryRow,
  isLeased: boolean,
  now: Date,
  leaseSeconds: number,
): void {
  if (delivery.isLeased) delivery.lostLeases++
  delivery.isLeased = isLeased
  delivery.outUntil = delivery.nextAt = secondsAfter(now, leaseSeconds)
}

export function lease(
  row: WebhookRow,
  delivery: DeliveryRow,
  now: Date,
  leaseSeconds: number,
): ClaimedDelivery {
  putOut(delivery, true, now, leaseSeconds)
  if (delivery.round < row.round) Object.assign(delivery, { round: row.round, attempt: 0 })
  delivery.fence++
  return {
    claim: { ...refOf(row, delivery), fence: delivery.fence },
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
