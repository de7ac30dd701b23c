import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import { isoText } from '../time.ts'
import type { NewReconciliationRun } from './run.ts'

/** The audit entry that is written when an operator requests a run. */
export const reconciliationRequested = (
  { id, check, period, createdAt }: NewReconciliationRun,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  action: 'reconciliation.request',
  tenantId: null,
  subject: id,
  at: createdAt,
  before: null,
  after: { check, ...(period && { from: isoText(period.from), to: isoText(period.to) }) },
})
