import type { Tenant } from '@quipu/core'
import type { TenantStore } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { keysetOf, pageOf } from '../page.ts'
import { onceFor, type OnceRow, requestValues, usedFromRow } from './remember-request.ts'
import { dailyUse, type DailyUseRow, tenantColumns, tenantRecordFromRow, type TenantRow } from './tenant-row.ts'

// Decided by migrations/0001-tenants.sql and migrations/0034-api-keys.sql.

const createTenant: Statement = {
  name: 'create_tenant',
  text: onceFor(
    'quipu.create_tenant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
    '$13, $15, $16, $1, $14',
  ),
}

const findTenant: Statement = {
  name: 'tenant.find',
  text: `
    select ${tenantColumns}, ${dailyUse('$2').columns}
    from quipu.tenant t join quipu.wallet w on w.tenant_id = t.id ${dailyUse('$2').join}
    where t.id = $1`,
}

const listTenants: Statement = {
  name: 'tenant.list',
  text: `
    select ${tenantColumns}, ${dailyUse('$4').columns}
    from quipu.tenant t join quipu.wallet w on w.tenant_id = t.id ${dailyUse('$4').join}
    where (t.created_at, t.id) < ($1, $2)
    order by t.created_at desc, t.id desc limit $3`,
}

const changeTenant: Statement = {
  name: 'change_tenant',
  text: `
    select quipu.change_tenant(
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) as result`,
}

const identityValues = ({
  legalName,
  technicalContact: { name, email },
}: Pick<Tenant, 'legalName' | 'technicalContact'>): unknown[] => [legalName, name, email]

const termsValues = ({
  pricing: { marginBps, feeBps, feeFixed, paymentCap },
  dailyLimits: { amount, count },
}: Pick<Tenant, 'pricing' | 'dailyLimits'>): unknown[] => [
  marginBps,
  feeBps,
  feeFixed.minor,
  paymentCap.minor,
  amount?.minor ?? null,
  count,
]

/** Tenants in PostgreSQL. */
export const postgresTenantStore = (database: Database): TenantStore => ({
  create: async (tenant, walletId, by, request) => {
    const { id, status, createdAt } = tenant
    const values = [id, ...identityValues(tenant), status, ...termsValues(tenant), walletId]
    const all = [...values, credentialJson(by), createdAt, ...requestValues(request)]
    type Created = { readonly result: 'committed' | 'unauthorized' | null }
    const [row] = await database.write<OnceRow & Created>(createTenant, all)
    return usedFromRow(row) ?? row?.result ?? 'unauthorized'
  },
  find: async (id) => {
    const values = [id, database.clockOverride()]
    const [row] = await database.read<TenantRow & DailyUseRow>(findTenant, values)
    return row && tenantRecordFromRow(row)
  },
  list: async (query) => {
    const values = [...keysetOf(query), database.clockOverride()]
    const rows = await database.read<TenantRow & DailyUseRow>(listTenants, values)
    return pageOf(rows.map(tenantRecordFromRow), query.limit)
  },
  update: async (tenant, action, by) => {
    const { id, status, revision } = tenant
    const values = [id, revision - 1, status, ...identityValues(tenant), ...termsValues(tenant)]
    const all = [...values, action, credentialJson(by), by.at]
    type Result = Awaited<ReturnType<TenantStore['update']>>
    const [row] = await database.write<{ result: Result }>(changeTenant, all)
    if (row === undefined) throw new Error('the function returned no row')
    return row.result
  },
})
