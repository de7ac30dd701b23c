import { bob, type Tenant, usdt } from '@quipu/core'

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
  readonly tenant_created_at: Date
  readonly tenant_revision: number
}

const names = [
  'id',
  'legal_name',
  'contact_name',
  'contact_email',
  'status',
  'margin_bps',
  'fee_bps',
  'fee_fixed',
  'payment_cap',
  'created_at',
  'revision',
]

/** The columns of table `t` that `tenantFromRow` needs. */
export const tenantColumns: string = names.map((name) => `t.${name} as tenant_${name}`).join(', ')

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
  createdAt: row.tenant_created_at,
  revision: row.tenant_revision,
})
