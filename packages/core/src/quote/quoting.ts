import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'

/** Who paused or resumed quoting. */
export type QuotingChange = {
  /** The name of an operator's token. */
  readonly by: string
  readonly at: Date
  /** Null for a resumption. */
  readonly reason: string | null
}

/** Whether new quotes are given. Quotes that exist stay payable while it is paused. */
export type Quoting = {
  readonly status: 'open' | 'paused'
  /** The newest change; null when there was none. */
  readonly change: QuotingChange | null
}

/** The audit entry that is written when an operator pauses or resumes quoting. It concerns no single tenant. */
export const auditQuoting = (
  status: Quoting['status'],
  { at, reason }: QuotingChange,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  tenantId: null,
  subject: 'quoting',
  at,
  action: status === 'paused' ? 'quoting.pause' : 'quoting.resume',
  before: { status: status === 'paused' ? 'open' : 'paused' },
  after: { status, ...(reason !== null && { reason }) },
})
