import type { Delivery } from '@quipu/core'
import type { DeliveryAttempt, AttemptRecord } from '@quipu/core/adapter'

export type DeliveryRow = {
  readonly tenant_id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly event_type: Delivery['eventType']
  readonly recorded_at: Date
  readonly status: Delivery['status']
  readonly next_at: Date | null
  readonly ended_at: Date | null
  /** Each as JSON; null when the only attempt is in the columns below. */
  readonly attempts: readonly string[] | null
  readonly attempted_at: Date
  readonly status_code: number
  readonly latency_ms: number
  readonly excerpt: string | null
}

export const deliveryFromRow = (row: DeliveryRow): Delivery => ({
  tenantId: row.tenant_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  eventType: row.event_type,
  createdAt: row.recorded_at,
  status: row.status,
  nextAttemptAt: row.status === 'pending' ? row.next_at : null,
  endedAt: row.ended_at,
  attempts: row.attempts?.map(attemptFromText) ?? [attemptFromColumns(row)],
})

const attemptFromColumns = (row: DeliveryRow): DeliveryAttempt => ({
  at: row.attempted_at,
  statusCode: row.status_code,
  latencyMs: row.latency_ms,
  error: null,
  excerpt: row.excerpt,
})

/** An attempt as JSON has it. */
type AttemptJson = Omit<DeliveryAttempt, 'at'> & { readonly at: string }

/** The JSON text of an attempt, which also keeps characters of an excerpt that a column of type text cannot. */
export const attemptText = ({ at, statusCode, latencyMs, error, excerpt }: AttemptRecord['attempt']): string => {
  // `JSON.stringify` is twice as fast without a `Date`, whose `toJSON` it would call.
  const json: AttemptJson = { at: at.toISOString(), statusCode, latencyMs, error, excerpt }
  return JSON.stringify(json)
}

function attemptFromText(text: string): DeliveryAttempt {
  const { at, ...result } = JSON.parse(text) as AttemptJson
  return { ...result, at: new Date(at) }
}
