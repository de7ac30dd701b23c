import { type AlertMessage, type AlertSeverity, type AlertStatus, severityOf } from '@quipu/core/operator'
import { instantToJson } from '../json/instant.ts'

/** The installation that messages to the gateway come from. */
export type Installation = {
  readonly environment: 'sandbox' | 'production'
  /** The letter of the cell; null without cells. */
  readonly cell: string | null
  /** The address of a copy of docs/operations/alerts.md. */
  readonly runbookUrl: string
}

/** An alert as the operator's gateway receives it. */
export type AlertJson = {
  readonly type: 'alert'
  /** The same in each message about it: raised, repeated, resolved. */
  readonly id: string
  readonly sequence: number
  readonly status: AlertStatus
  readonly code: AlertMessage['code']
  readonly severity: AlertSeverity
  readonly subject: string
  readonly tenant_id: string | null
  readonly detail: string
  /** Other alerts of the code that this message stands for. */
  readonly further: number
  readonly runbook: string
  readonly environment: 'sandbox' | 'production'
  readonly cell: string | null
  readonly occurred_at: string
  readonly ended_at: string | null
  /** All of it for a person. */
  readonly text: string
}

/** The value of `Idempotency-Key` of a message, also when another process repeats it. */
export const alertKey = ({ id, status, sequence }: AlertMessage): string => `${id}.${status}.${sequence}`

export function alertToJson(message: AlertMessage, { environment, cell, runbookUrl }: Installation): AlertJson {
  const { id, sequence, status, code, subject, tenantId, detail, further } = message
  const severity = severityOf(code)
  const runbook = `${runbookUrl}#${code.toLowerCase()}`
  const ofTenant = tenantId === null ? '' : ` (${tenantId})`
  const others = further === 0 ? '' : ` There are ${further} more of this code.`
  const text = `${environment}, ${severity}, ${status}: ${code} ${subject}${ofTenant}: ${detail}.${others} ${runbook}`
  return {
    type: 'alert',
    id,
    sequence,
    status,
    code,
    severity,
    subject,
    tenant_id: tenantId,
    detail,
    further,
    runbook,
    environment,
    cell,
    occurred_at: instantToJson(message.raisedAt),
    ended_at: message.endedAt && instantToJson(message.endedAt),
    text,
  }
}
