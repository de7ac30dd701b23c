import type { Pricing } from '@quipu/core'
import type { TenantStore } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import { tenantColumns, tenantFromRow, type TenantRow } from './tenant-row.ts'

// Decided by migrations/0001-tenants.sql.

const createTenant: Statement = {
  name: 'create_tenant',
  text: 'select quipu.create_tenant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
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

const changeTenant: Statement = {
  name: 'change_tenant',
  text: 'select quipu.change_tenant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as changed',
}

const pricingValues = ({ marginBps, feeBps, feeFixed, paymentCap }: Pricing): unknown[] => [
  marginBps,
  feeBps,
  feeFixed.minor,
  paymentCap.minor,
]

/** Tenants in PostgreSQL. */
export const postgresTenantStore = (database: Database): TenantStore => ({
  create: async ({ id, legalName, technicalContact, ...tenant }, walletId, actor) => {
    const { name, email } = technicalContact
    const pricing = pricingValues(tenant.pricing)
    const values = [id, legalName, name, email, tenant.status, ...pricing, walletId, actor]
    await database.query(createTenant, [...values, tenant.createdAt])
  },
  find: async (id) => {
    const [row] = await database.read<TenantRow>(findTenant, [id])
    return row && tenantFromRow(row)
  },
  list: async (query) => {
    const rows = await database.read<TenantRow>(listTenants, keysetOf(query))
    return pageOf(rows.map(tenantFromRow), query.limit)
  },
  update: async ({ id, status, pricing, revision }, action, { actor, at }) => {
    const values = [id, revision - 1, status, ...pricingValues(pricing), action, actor, at]
    const [row] = await database.write<{ changed: boolean }>(changeTenant, values)
    return row?.changed ? 'committed' : 'stale'
  },
})
