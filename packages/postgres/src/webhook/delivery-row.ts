import type { Attempt, AttemptRecord, Delivery } from '@quipu/core'

export type DeliveryRow = {
  readonly tenant_id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly event_type: Delivery['eventType']
  readonly recorded_at: Date
  readonly status: Delivery['status']
  readonly next_at: Date | null
  readonly ended_at: Date | null
  readonly attempts: readonly string[]
}

/** Of `quipu.delivery_open d` at the endpoint `own`, in the order of those of `quipu.delivery d`. */
export const openColumns = `
  d.tenant_id, d.endpoint_id, d.event_id, d.event_type, d.recorded_at,
  case when own.status = 'paused' and d.return_to is null then 'held' else 'pending' end as status,
  d.next_at, null::timestamptz as ended_at, d.attempts`

export const endedColumns = `
  d.tenant_id, d.endpoint_id, d.event_id, d.event_type, d.recorded_at, d.status,
  null::timestamptz as next_at, d.ended_at, d.attempts`

export const deliveryFromRow = (row: DeliveryRow): Delivery => ({
  tenantId: row.tenant_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  eventType: row.event_type,
  createdAt: row.recorded_at,
  status: row.status,
  nextAttemptAt: row.status === 'pending' ? row.next_at : null,
  endedAt: row.ended_at,
  attempts: row.attempts.map(attemptFromText),
})

/** An attempt as JSON has it. */
type AttemptJson = Omit<Attempt, 'at'> & { readonly at: string }

/** The whole of an attempt as text, so that what a receiver has answered comes back as it was. */
export const attemptText = ({
  at,
  statusCode,
  latencyMs,
  error,
  excerpt,
}: AttemptRecord['attempt']): string => {
  // As JSON has it already: it is twice as fast without a date, whose method it would have to call.
  const json: AttemptJson = { at: at.toISOString(), statusCode, latencyMs, error, excerpt }
  return JSON.stringify(json)
}

function attemptFromText(text: string): Attempt {
  const { at, ...result } = JSON.parse(text) as AttemptJson
  return { ...result, at: new Date(at) }
}
