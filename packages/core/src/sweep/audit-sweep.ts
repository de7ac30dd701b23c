import { isoText } from '../time.ts'
import type { AuditAuthor, AuditEntry, AuditOrigin } from '../audit/ports.ts'
import { type SweepPlan, sweepTotals } from './sweep.ts'

/** The audit entry that is written with a new batch. */
export function auditSweepPlan({ batch, transfers }: SweepPlan, origin: AuditOrigin): AuditEntry {
  const { amount, count } = sweepTotals(transfers)
  return {
    ...origin,
    action: 'sweep.plan',
    at: batch.createdAt,
    tenantId: null,
    subject: batch.id,
    before: null,
    after: {
      treasury: batch.treasury.address,
      threshold_minor: batch.threshold.minor.toString(),
      expires_at: isoText(batch.expiresAt),
      transfers: count,
      amount_minor: amount.toString(),
    },
  }
}

/** The audit entry that is written with the signatures of some of a batch's transfers. */
export const auditSweepSignatures = (
  batchId: string,
  transferIds: readonly string[],
  author: AuditAuthor,
): AuditEntry => ({
  ...author,
  action: 'sweep.sign',
  tenantId: null,
  subject: batchId,
  before: null,
  after: { transfers: transferIds.toSorted() },
})
