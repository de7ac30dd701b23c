import type { Tenant } from '@quipu/core'
import { foldText, type PagePosition, type TenantStore } from '@quipu/core/adapter'
import { noteState, type ProposalNote } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { containsFolded } from '../folded.ts'
import { keysetOf, pageOf, scannedMax, scannedPageOf } from '../page.ts'
import { onceFor, type OnceRow, requestValues, usedFromRow } from '../access/remember-request.ts'
import {
  dailyUse,
  type DailyUseRow,
  tenantColumns,
  suspensionRow,
  tenantRecordFromRow,
  type TenantRow,
} from './tenant-row.ts'

// Decided by migrations/0029-tenant-changes.sql.

const createTenant: Statement = {
  name: 'create_tenant',
  text: onceFor('quipu.create_tenant($1, $2, $3, $4, $5)', '$4, $6, $7, $1, $5'),
}

const findTenant = statement('tenant.find')`
  select ${tenantColumns}, ${dailyUse('$2').columns}
  from quipu.tenant t join quipu.wallet w on w.tenant_id = t.id ${dailyUse('$2').join}
  where t.id = $1`

/** Leaves out frozen copies: the tenant is in another cell. */
const listTenants = statement('tenant.list')`
  select ${tenantColumns}, ${dailyUse('$4').columns}
  from quipu.tenant t join quipu.wallet w on w.tenant_id = t.id ${dailyUse('$4').join}
  where (t.created_at, t.id) < ($1, $2)
    and (select true from quipu.moving_tenant m where m.tenant_id = t.id and m.left_at is not null limit 1) is null
  order by t.created_at desc, t.id desc limit $3`

/** Filters the next tenants: an index of any part of a text costs more than this saves. Parameters: $5 the part. */
const searchTenants = statement('tenant.search')`
  with scanned as materialized (
    select * from quipu.tenant t where (t.created_at, t.id) < ($1, $2)
    order by t.created_at desc, t.id desc limit ${scannedMax}
  )
  select ${tenantColumns}, ${dailyUse('$4').columns}
  from scanned t join quipu.wallet w on w.tenant_id = t.id ${dailyUse('$4').join}
  where ${containsFolded(`concat_ws(e'\\n', t.legal_name, t.contact_name, t.contact_email)`, '$5')}
    and (select true from quipu.moving_tenant m where m.tenant_id = t.id and m.left_at is not null limit 1) is null
  order by t.created_at desc, t.id desc limit $3`

const lastScanned = statement('tenant.last_scanned')`
  select t.id, t.created_at as "createdAt" from quipu.tenant t where (t.created_at, t.id) < ($1, $2)
  order by t.created_at desc, t.id desc offset ${scannedMax - 1} limit 1`

const changeTenant = statement('change_tenant')`select quipu.change_tenant($1, $2, $3, $4, $5, $6) as result`

const eraseContact = statement('erase_contact')`select quipu.erase_contact($1, $2, $3) as result`

/** The `terms` of a tenant. */
function termsJson(tenant: Omit<Tenant, 'id' | 'createdAt' | 'revision'>, note?: ProposalNote): string {
  const { status, suspension, legalName, technicalContact, pricing, dailyLimits, ...others } = tenant
  others satisfies Readonly<Record<string, never>>
  return JSON.stringify({
    ...(suspension && { suspension: suspensionRow(suspension) }),
    ...(note && { note: noteState(note) }),
    status,
    legal_name: legalName,
    contact_name: technicalContact.name,
    contact_email: technicalContact.email,
    margin_bps: pricing.marginBps,
    fee_bps: pricing.feeBps,
    fee_fixed: String(pricing.feeFixed.minor),
    payment_cap: String(pricing.paymentCap.minor),
    daily_limit_amount: dailyLimits.amount && String(dailyLimits.amount.minor),
    daily_limit_count: dailyLimits.count,
  })
}

/** Tenants in PostgreSQL. */
export const postgresTenantStore = (database: Database): TenantStore => ({
  create: async (tenant, walletId, by, request) => {
    const values = [tenant.id, termsJson(tenant), walletId, credentialJson(by), tenant.createdAt]
    type Created = { readonly result: 'committed' | 'unauthorized' | null }
    const [row] = await database.write<OnceRow & Created>(createTenant, [...values, ...requestValues(request)])
    return usedFromRow(row) ?? row?.result ?? 'unauthorized'
  },
  find: async (id) => {
    const values = [id, database.clockOverride()]
    const [row] = await database.read<TenantRow & DailyUseRow>(findTenant, values)
    return row && tenantRecordFromRow(row)
  },
  list: async (query) => {
    const values = [...keysetOf(query), database.clockOverride()]
    const read = async (statement: Statement, more: readonly string[] = []) =>
      (await database.read<TenantRow & DailyUseRow>(statement, [...values, ...more])).map(tenantRecordFromRow)
    if (query.text === undefined) return pageOf(await read(listTenants), query.limit)
    return scannedPageOf(await read(searchTenants, [foldText(query.text)]), query.limit, async () => {
      const [last] = await database.list<PagePosition>(lastScanned, values.slice(0, 2))
      return last
    })
  },
  update: (tenant, action, by, note) => {
    const values = [tenant.id, tenant.revision - 1, termsJson(tenant, note), action, credentialJson(by), by.at]
    return answer(database.write, changeTenant, values)
  },
  eraseContact: (id, by) => answer(database.write, eraseContact, [id, credentialJson(by), by.at]),
})
