import { toDecimal } from '../money.ts'
import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import type { Adjustment } from './ports.ts'

/** The audit entry of an adjustment; its subject is the tenant. */
export const auditAdjustment = (adjustment: Adjustment, at: Date, origin: AuditOrigin): AuditEntry => ({
  ...origin,
  action: 'wallet.adjust',
  tenantId: adjustment.tenantId,
  subject: adjustment.tenantId,
  at,
  before: null,
  after: {
    adjustment_id: adjustment.id,
    direction: adjustment.direction,
    amount: toDecimal(adjustment.amount),
    reason: adjustment.reason,
    ...(adjustment.differenceId !== undefined && { difference_id: adjustment.differenceId }),
    ...(adjustment.payoutId !== undefined && { payout_id: adjustment.payoutId }),
  },
})
