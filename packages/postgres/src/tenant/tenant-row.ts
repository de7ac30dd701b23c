import { bob, type Tenant, usdt } from '@quipu/core'
import type { DailyUse, Suspension, SuspensionCause, TenantRecord } from '@quipu/core/operator'

// Daily limits: migrations/0002-ledger.sql.

/** The column `suspension` of `quipu.tenant`. */
type SuspensionRow = {
  readonly cause: SuspensionCause
  readonly reason: string
  readonly evidence_note?: string
  readonly evidence_digest?: string
  readonly at: string
}

const suspensionFromRow = ({ cause, reason, at, ...given }: SuspensionRow): Suspension => {
  const { evidence_note: note, evidence_digest: digest } = given
  const evidence = note === undefined || digest === undefined ? null : { note, digest }
  return { cause, reason, evidence, at: new Date(at) }
}

/** The inverse of `suspensionFromRow`. */
export const suspensionRow = ({ cause, reason, evidence, at }: Suspension): SuspensionRow => ({
  cause,
  reason,
  ...(evidence && { evidence_note: evidence.note, evidence_digest: evidence.digest }),
  at: at.toISOString(),
})

/** A row of `quipu.tenant`, as `tenantColumns` names it. */
export type TenantRow = {
  readonly tenant_id: string
  readonly tenant_legal_name: string
  readonly tenant_contact_name: string
  readonly tenant_contact_email: string
  readonly tenant_status: Tenant['status']
  readonly tenant_margin_bps: number
  readonly tenant_fee_bps: number
  readonly tenant_fee_fixed: bigint
  readonly tenant_payment_cap: bigint
  readonly tenant_daily_limit_amount: bigint | null
  readonly tenant_daily_limit_count: number | null
  readonly tenant_created_at: Date
  readonly tenant_revision: number
  readonly tenant_suspension: SuspensionRow | null
}

/** The table of each column: tenants or wallets. */
const tables: Readonly<Record<keyof TenantRow, 't' | 'w'>> = {
  tenant_id: 't',
  tenant_legal_name: 't',
  tenant_contact_name: 't',
  tenant_contact_email: 't',
  tenant_status: 't',
  tenant_margin_bps: 't',
  tenant_fee_bps: 't',
  tenant_fee_fixed: 't',
  tenant_payment_cap: 't',
  tenant_created_at: 't',
  tenant_revision: 't',
  tenant_suspension: 't',
  tenant_daily_limit_amount: 'w',
  tenant_daily_limit_count: 'w',
}

/** The columns of the tables `t` (tenants) and `w` (wallets) that `tenantFromRow` needs. */
export const tenantColumns: string = Object.entries(tables)
  .map(([name, table]) => `${table}.${name.slice('tenant_'.length)} as ${name}`)
  .join(', ')

/** The used part of the daily limits. */
export type DailyUseRow = { readonly used_amount: bigint; readonly used_count: number }

/**
 * The lateral join of what wallet `w` has used of its daily limits, and its columns.
 *
 * @param clock  the parameter with the clock override
 */
export const dailyUse = (clock: string): { columns: string; join: string } => ({
  columns: 'u.amount as used_amount, u.count as used_count',
  join: `cross join quipu.daily_use(w, quipu.store_now(${clock})) u`,
})

export const dailyUseFromRow = (row: DailyUseRow): DailyUse => ({
  amount: usdt(row.used_amount),
  count: row.used_count,
})

export const tenantRecordFromRow = (row: TenantRow & DailyUseRow): TenantRecord => ({
  ...tenantFromRow(row),
  usedToday: dailyUseFromRow(row),
})

export const tenantFromRow = (row: TenantRow): Tenant => ({
  id: row.tenant_id,
  legalName: row.tenant_legal_name,
  technicalContact: { name: row.tenant_contact_name, email: row.tenant_contact_email },
  status: row.tenant_status,
  pricing: {
    marginBps: row.tenant_margin_bps,
    feeBps: row.tenant_fee_bps,
    feeFixed: usdt(row.tenant_fee_fixed),
    paymentCap: bob(row.tenant_payment_cap),
  },
  dailyLimits: {
    amount: row.tenant_daily_limit_amount === null ? null : usdt(row.tenant_daily_limit_amount),
    count: row.tenant_daily_limit_count,
  },
  createdAt: row.tenant_created_at,
  revision: row.tenant_revision,
  ...(row.tenant_suspension && { suspension: suspensionFromRow(row.tenant_suspension) }),
})
