import type { Currency, Money } from '@quipu/core'
import type { Difference, FoundDifference } from '@quipu/core/operator'

/** A row of `quipu.difference`, as `differenceColumns` names it. */
export type DifferenceRow = {
  readonly id: string
  readonly change: bigint
  readonly check_name: Difference['check']
  readonly kind: string
  readonly scope: string
  readonly tenant_id: string | null
  readonly subject: string
  readonly detail: string
  readonly currency: Currency | null
  readonly expected_amount: string | null
  readonly found_amount: string | null
  readonly found_at: Date
  readonly last_seen_at: Date
  readonly gone_at: Date | null
  readonly closed_at: Date | null
  readonly closed_by: string
  readonly close_reason: string
  readonly proposal_id: string | null
  readonly status: Difference['status']
}

/** The columns of table `d` that `differenceFromRow` needs. */
export const differenceColumns = `d.id, d.change, d.check_name, d.kind, d.scope, d.tenant_id, d.subject,
  d.detail, d.currency, d.expected_amount::text, d.found_amount::text, d.found_at, d.last_seen_at, d.gone_at,
  d.closed_at, d.closed_by, d.close_reason, d.proposal_id, d.status`

export const differenceFromRow = (row: DifferenceRow): Difference => ({
  id: row.id,
  check: row.check_name,
  kind: row.kind,
  scope: row.scope,
  tenantId: row.tenant_id,
  subject: row.subject,
  detail: row.detail,
  expected: moneyFromRow(row.currency, row.expected_amount),
  found: moneyFromRow(row.currency, row.found_amount),
  foundAt: row.found_at,
  lastSeenAt: row.last_seen_at,
  goneAt: row.gone_at,
  closure: row.closed_at && {
    by: row.closed_by,
    at: row.closed_at,
    reason: row.close_reason,
    proposalId: row.proposal_id,
  },
  status: row.status,
  change: row.change,
})

const moneyFromRow = (currency: Currency | null, minor: string | null): Money | null =>
  currency === null || minor === null ? null : { currency, minor: BigInt(minor) }

/** The input of `record_differences`. */
export const foundToRow = (found: FoundDifference): Readonly<Record<string, string | null>> => ({
  id: found.id,
  check_name: found.check,
  kind: found.kind,
  scope: found.scope,
  tenant_id: found.tenantId,
  subject: found.subject,
  detail: found.detail,
  currency: found.expected?.currency ?? found.found?.currency ?? null,
  expected_amount: found.expected?.minor.toString() ?? null,
  found_amount: found.found?.minor.toString() ?? null,
})
