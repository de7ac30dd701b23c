import { type ApiKey, type ApiKeyScope, Unavailable } from '@quipu/core'
import type { ApiKeyStore, PresentedKey } from '@quipu/core/adapter'
import { arrayParameters, rowsOf } from '../batch/array-parameters.ts'
import { sharedStatement } from '../batch/shared-statement.ts'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { keysetOf, pageOf } from '../page.ts'
import { tenantColumns, tenantFromRow, type TenantRow } from '../tenant/tenant-row.ts'

type KeyRow = {
  readonly id: string
  readonly key_tenant_id: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly hash: string
  readonly scopes: readonly ApiKeyScope[]
  readonly created_at: Date
  readonly activated_at: Date | null
  readonly last_used_at: Date | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly replaces: string | null
  readonly overlap_seconds: number | null
  readonly allowed_addresses: readonly string[] | null
}

const keyColumns = `
  k.id, k.tenant_id as key_tenant_id, k.name, k.prefix, k.last_four, k.hash, k.scopes,
  k.created_at, k.activated_at, k.last_used_at, k.expires_at, k.revoked_at,
  k.replaces, k.overlap_seconds, k.allowed_addresses`

const keyFromRow = (row: KeyRow): ApiKey => ({
  id: row.id,
  tenantId: row.key_tenant_id,
  name: row.name,
  prefix: row.prefix,
  lastFour: row.last_four,
  hash: row.hash,
  scopes: row.scopes,
  createdAt: row.created_at,
  activatedAt: row.activated_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  replaces: row.replaces === null ? null : { keyId: row.replaces, overlapSeconds: row.overlap_seconds ?? 0 },
  allowedAddresses: row.allowed_addresses,
})

// Decided by migrations/0034-api-keys.sql; `revoke` and `touch` by migrations/0001-tenants.sql.

const issueApiKey = statement('issue_api_key')`select quipu.issue_api_key($1, $2, $3) as result`

const proposeApiKey = statement('propose_api_key')`select quipu.propose_api_key($1, $2, $3, $4) as result`

const setAllowedAddresses = statement('set_allowed_addresses')`
  select quipu.set_allowed_addresses($1, $2, $3, $4, $5) as result`

const findKey = statement('api_key.find')`select ${keyColumns} from quipu.api_key k where k.id = $1`

const findCaller = statement('api_key.find_caller')`
  select caller.*
  from unnest($1::text[]) with ordinality i (hash, place)
  left join lateral (
    select ${keyColumns}, ${tenantColumns}, coalesce(w.moved_to, (
        select m.cell from quipu.moving_tenant m where m.tenant_id = t.id and m.left_at is not null
      )) as moved_to
    from quipu.api_key k join quipu.tenant t on t.id = k.tenant_id
      join quipu.wallet w on w.tenant_id = t.id
    where k.hash = i.hash limit 1
  ) caller on true
  order by i.place`

type CallerRow = (KeyRow & TenantRow & { readonly moved_to: string | null }) | { readonly id: null }

const listKeys = statement('api_key.list')`
  select ${keyColumns} from quipu.api_key k
  where k.tenant_id = $4 and (k.created_at, k.id) < ($1, $2)
  order by k.created_at desc, k.id desc limit $3`

const revokeApiKey = statement('revoke_api_key')`select quipu.revoke_api_key($1, $2, $3, $4) as result`

const revokeOwnApiKey = statement('revoke_own_api_key')`select quipu.revoke_own_api_key($1, $2, $3) as result`

const rotateOwnApiKey = statement('rotate_own_api_key')`select quipu.rotate_own_api_key($1, $2, $3) as result`

type Touch = { readonly tenantId: string; readonly id: string; readonly at: Date }

const touched = arrayParameters<Touch>({
  tenant_id: ['text', ({ tenantId }) => tenantId],
  id: ['text', ({ id }) => id],
  at: ['timestamptz', ({ at }) => at],
})

/** Updates the rows in the order of their ids, so that the statements of two processes cannot deadlock. */
const touchApiKey = statement('touch_api_key')`
  select quipu.touch_api_key(i.tenant_id, i.id, i.at)
  from (
    select * from ${rowsOf(touched, 'u')}
    order by u.id offset 0
  ) i`

/** Concurrent touches share one statement and its commit. Repeating a touch changes nothing: the latest instant stays. */
function touching(database: Pick<Database, 'query'>): ApiKeyStore['touch'] {
  const touch = sharedStatement(touchApiKey.name, (touches: readonly Touch[]) =>
    database.query(touchApiKey, touched.encode(touches)),
  )
  return async ({ tenantId, id }, at) => void (await touch({ tenantId, id, at }))
}

/** Concurrent readings share one statement. */
function callerByHash(database: Pick<Database, 'readLatest'>): ApiKeyStore['findCaller'] {
  const rowOf = sharedStatement(findCaller.name, (hashes: readonly string[]) =>
    database.readLatest<CallerRow>(findCaller, [hashes]),
  )
  return async (hash) => {
    const row = await rowOf(hash)
    if (row.id !== null && row.moved_to !== null)
      throw new Unavailable('store', `the tenant ${row.tenant_id} has moved to cell ${row.moved_to}`)
    return row.id === null ? undefined : { tenant: tenantFromRow(row), key: keyFromRow(row) }
  }
}

/** API keys in PostgreSQL, found by the hash of the whole key. */
export const postgresApiKeyStore = (database: Database): ApiKeyStore => ({
  issue: (key, by) => answer(database.write, issueApiKey, [keyJson(key), credentialJson(by), key.createdAt]),
  propose: (key, { id, reason, evidence, createdAt, expiresAt }, by) => {
    const support = { evidence_note: evidence?.note, evidence_digest: evidence?.digest, expires_at: expiresAt }
    const proposal = JSON.stringify({ id, reason, ...support })
    return answer(database.write, proposeApiKey, [keyJson(key), proposal, credentialJson(by), createdAt])
  },
  setAllowedAddresses: ({ tenantId, id }, addresses, by) =>
    answer(database.write, setAllowedAddresses, [tenantId, id, addresses, credentialJson(by), by.at]),
  find: async (id) => {
    const [row] = await database.read<KeyRow>(findKey, [id])
    return row && keyFromRow(row)
  },
  findCaller: callerByHash(database),
  list: async (tenantId, query) => {
    const rows = await database.read<KeyRow>(listKeys, [...keysetOf(query), tenantId])
    return pageOf(rows.map(keyFromRow), query.limit)
  },
  revoke: ({ tenantId, id }, by) => answer(database.write, revokeApiKey, [tenantId, id, credentialJson(by), by.at]),
  revokeOwn: (id, by) => answer(database.write, revokeOwnApiKey, [presentedJson(by), id, by.at]),
  rotateOwn: ({ id, hash, lastFour, replaces }, by) => {
    const { keyId, overlapSeconds } = replaces
    const key = JSON.stringify({ id, hash, last_four: lastFour, replaces: keyId, overlap_seconds: overlapSeconds })
    return answer(database.write, rotateOwnApiKey, [presentedJson(by), key, by.at])
  },
  touch: touching(database),
})

const presentedJson = ({ hash, address }: PresentedKey): string => JSON.stringify({ key_hash: hash, address })

/** The members of a key that its issue or proposal gives. */
const keyJson = (key: ApiKey): string =>
  JSON.stringify({
    id: key.id,
    tenant_id: key.tenantId,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    hash: key.hash,
    scopes: key.scopes,
    expires_at: key.expiresAt,
    allowed_addresses: key.allowedAddresses,
    replaces: key.replaces?.keyId,
    overlap_seconds: key.replaces?.overlapSeconds,
  })
