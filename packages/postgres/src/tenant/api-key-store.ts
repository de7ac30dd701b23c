import type { ApiKey, ApiKeyStore, Scope } from '@quipu/core'
import { insertAudit } from './audit-log.ts'
import type { Database, Statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import { tenantColumns, tenantFromRow, type TenantRow } from './tenant-row.ts'

type KeyRow = {
  readonly id: string
  readonly key_tenant_id: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

const keyColumns = `
  k.id, k.tenant_id as key_tenant_id, k.name, k.prefix, k.last_four, k.hash, k.scopes,
  k.created_at, k.last_used_at, k.expires_at, k.revoked_at`

const keyFromRow = (row: KeyRow): ApiKey => ({
  id: row.id,
  tenantId: row.key_tenant_id,
  name: row.name,
  prefix: row.prefix,
  lastFour: row.last_four,
  hash: row.hash,
  scopes: row.scopes,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
})

const insertKey: Statement = {
  name: 'api_key.insert',
  text: `
    insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at,
      last_used_at, expires_at, revoked_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
}

const findKey: Statement = {
  name: 'api_key.find',
  text: `select ${keyColumns} from quipu.api_key k where k.id = $1`,
}

const findCaller: Statement = {
  name: 'api_key.find_caller',
  text: `
    select ${keyColumns}, ${tenantColumns}
    from quipu.api_key k join quipu.tenant t on t.id = k.tenant_id where k.hash = $1`,
}

const listKeys: Statement = {
  name: 'api_key.list',
  text: `
    select ${keyColumns} from quipu.api_key k
    where k.tenant_id = $4 and (k.created_at, k.id) < ($1, $2)
    order by k.created_at desc, k.id desc limit $3`,
}

const revokeKey: Statement = {
  name: 'api_key.revoke',
  text: `
    update quipu.api_key set revoked_at = $2 where id = $1 and revoked_at is null returning id`,
}

const touchKey: Statement = {
  name: 'api_key.touch',
  text: `
    update quipu.api_key set last_used_at = $2
    where id = $1 and (last_used_at is null or last_used_at < $2)`,
}

/** API keys in PostgreSQL, by the hash of the whole key. */
export const postgresApiKeyStore = (database: Database): ApiKeyStore => ({
  insert: (key, audit) =>
    database.transaction(async (query) => {
      await query(insertKey, [
        key.id,
        key.tenantId,
        key.name,
        key.prefix,
        key.lastFour,
        key.hash,
        key.scopes,
        key.createdAt,
        key.lastUsedAt,
        key.expiresAt,
        key.revokedAt,
      ])
      await insertAudit(query, audit)
    }),
  find: async (id) => {
    const [row] = await database.read<KeyRow>(findKey, [id])
    return row && keyFromRow(row)
  },
  findCaller: async (hash) => {
    const [row] = await database.look<KeyRow & TenantRow>(findCaller, [hash])
    return row && { tenant: tenantFromRow(row), key: keyFromRow(row) }
  },
  list: async (tenantId, query) => {
    const rows = await database.read<KeyRow>(listKeys, [...keysetOf(query), tenantId])
    return pageOf(rows.map(keyFromRow), query.limit)
  },
  revoke: (id, at, audit) =>
    database.transaction(async (query) => {
      const rows = await query(revokeKey, [id, at])
      if (rows.length === 0) return 'stale'
      await insertAudit(query, audit)
      return 'committed'
    }),
  touch: async (id, at) => {
    await database.query(touchKey, [id, at])
  },
})
