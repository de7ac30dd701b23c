import type { TenantStore } from '@quipu/core'
import { insertAudit } from './audit-log.ts'
import type { Database, Statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import { tenantColumns, tenantFromRow, type TenantRow, tenantValues } from './tenant-row.ts'

const insertTenant: Statement = {
  name: 'tenant.insert',
  text: `
    with tenant as (
      insert into quipu.tenant (id, legal_name, contact_name, contact_email, status, margin_bps,
        fee_bps, fee_fixed, payment_cap, created_at, revision)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    )
    insert into quipu.wallet (tenant_id, id, created_at, updated_at) values ($1, $12, $10, $10)`,
}

const findTenant: Statement = {
  name: 'tenant.find',
  text: `select ${tenantColumns} from quipu.tenant t where t.id = $1`,
}

const listTenants: Statement = {
  name: 'tenant.list',
  text: `
    select ${tenantColumns} from quipu.tenant t
    where (t.created_at, t.id) < ($1, $2)
    order by t.created_at desc, t.id desc limit $3`,
}

const updateTenant: Statement = {
  name: 'tenant.update',
  text: `
    update quipu.tenant
    set legal_name = $2, contact_name = $3, contact_email = $4, status = $5, margin_bps = $6,
      fee_bps = $7, fee_fixed = $8, payment_cap = $9, created_at = $10, revision = $11
    where id = $1 and revision = $11 - 1
    returning id`,
}

/** Tenants in PostgreSQL. */
export const postgresTenantStore = (database: Database): TenantStore => ({
  create: (tenant, walletId, audit) =>
    database.transaction(async (query) => {
      await query(insertTenant, [...tenantValues(tenant), walletId])
      await insertAudit(query, audit)
    }),
  find: async (id) => {
    const [row] = await database.read<TenantRow>(findTenant, [id])
    return row && tenantFromRow(row)
  },
  list: async (query) => {
    const rows = await database.read<TenantRow>(listTenants, keysetOf(query))
    return pageOf(rows.map(tenantFromRow), query.limit)
  },
  update: (tenant, audit) =>
    database.transaction(async (query) => {
      const rows = await query(updateTenant, tenantValues(tenant))
      if (rows.length === 0) return 'stale'
      await insertAudit(query, audit)
      return 'committed'
    }),
})
