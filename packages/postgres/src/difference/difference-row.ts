import type { Currency, Money } from '@quipu/core'
import type { Difference, FoundDifference } from '@quipu/core/operator'
import { membersOf } from '../members.ts'

/** A row of `quipu.difference`, as `differenceColumns` names it. */
export type DifferenceRow = Omit<Difference, 'expected' | 'found' | 'closure'> & {
  readonly currency: Currency | null
  readonly expected: string | null
  readonly found: string | null
  readonly closedAt: Date | null
  readonly closedBy: string
  readonly closeReason: string
  readonly proposalId: string | null
}

/** The columns of table `d` that `differenceFromRow` needs. */
export const differenceColumns: string = `d.check_name as check, d.expected_amount::text as expected,
  d.found_amount::text as found, ${membersOf(
    'd',
    'id change kind scope tenant_id subject detail currency found_at last_seen_at gone_at closed_at closed_by close_reason proposal_id status',
  )}`

export function differenceFromRow(row: DifferenceRow): Difference {
  const { currency, expected, found, closedAt: at, closedBy: by, closeReason: reason, proposalId, ...rest } = row
  return {
    ...rest,
    expected: moneyFromRow(currency, expected),
    found: moneyFromRow(currency, found),
    closure: at && { by, at, reason, proposalId },
  }
}

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
