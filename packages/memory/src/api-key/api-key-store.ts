import type { ApiKey } from '@quipu/core'
import type { ApiKeyStore, ApiKeyRef, PresentedKey } from '@quipu/core/adapter'
import {
  apiKeyStatusAt,
  type AuditAuthor,
  keyAddressesSet,
  keyIssued,
  keyNeedsTwo,
  keyRevoked,
  keyRotated,
  replacedKeyExpiry,
} from '@quipu/core/operator'
import { writeAudit } from '../audit/audit-log.ts'
import { type Database, positionOf, tenantDataOf } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { putProposal } from '../proposal/put-proposal.ts'

export const memoryApiKeyStore = (database: Database): ApiKeyStore => ({
  issue: async (key, by) => {
    const at = key.createdAt
    const pays = key.scopes.includes('payouts:write')
    const acting = actingToken(database, by, at, pays ? ['admin'] : writers)
    if (!acting) return 'unauthorized'
    if (keyNeedsTwo(key)) throw new Error(`the key ${key.id} needs a proposal`)
    putKey(database, { ...key, activatedAt: at, lastUsedAt: null, revokedAt: null })
    issued(database, key, acting.author, null)
    return 'committed'
  },
  propose: async (key, proposal, by) => {
    const acting = actingToken(database, by, key.createdAt, ['admin'])
    if (!acting) return 'unauthorized'
    putKey(database, { ...key, activatedAt: null, lastUsedAt: null, revokedAt: null })
    putProposal(database, proposal, acting.author)
    return 'committed'
  },
  setAllowedAddresses: async (ref, addresses, by) => {
    const acting = actingToken(database, by, by.at, ['admin'])
    if (!acting) return 'unauthorized'
    const key = keyOf(database, ref)
    if (key === undefined || key.revokedAt !== null) return 'stale'
    database.keys.set(key.id, { ...key, allowedAddresses: addresses })
    writeAudit(database, keyAddressesSet(key, addresses, acting.author))
    return 'committed'
  },
  find: async (id) => database.keys.get(id),
  findCaller: async (hash) => {
    const key = database.keys.get(database.keyHashes.get(hash) ?? '')
    const tenant = key && database.tenants.get(key.tenantId)?.tenant
    return key && tenant && { tenant, key }
  },
  list: async (tenantId, query) =>
    database.tenants.get(tenantId)?.keyOrder.page(query, (id) => database.keys.get(id)) ?? { items: [], next: null },
  revoke: async (ref, by) => {
    const acting = actingToken(database, by, by.at, writers)
    if (!acting) return 'unauthorized'
    const key = keyOf(database, ref)
    if (key === undefined || key.revokedAt !== null) return 'stale'
    database.keys.set(key.id, { ...key, revokedAt: by.at })
    writeAudit(database, keyRevoked(key, acting.author))
    return 'committed'
  },
  revokeOwn: async (id, by) => {
    const acting = presented(database, by)
    if (!acting) return 'unauthorized'
    const key = keyOf(database, { id, tenantId: acting.tenantId })
    if (key === undefined || key.revokedAt !== null) return 'stale'
    const manages = (each: ApiKey) => each.tenantId === acting.tenantId && canManage(each, by.at)
    if (id === acting.id && !Array.from(database.keys.values()).some((each) => each.id !== id && manages(each)))
      return 'last'
    database.keys.set(id, { ...key, revokedAt: by.at })
    writeAudit(database, keyRevoked(key, authorOf(acting, by)))
    return 'committed'
  },
  rotateOwn: async ({ id, hash, lastFour, replaces }, by) => {
    const acting = presented(database, by)
    if (!acting) return 'unauthorized'
    const old = keyOf(database, { id: replaces.keyId, tenantId: acting.tenantId })
    if (old === undefined || apiKeyStatusAt(old, by.at) !== 'active') return 'stale'
    const { allowedAddresses } = acting
    const isElsewhere = allowedAddresses !== null && allowedAddresses.join() !== old.allowedAddresses?.join()
    if (isElsewhere || !old.scopes.every((scope) => acting.scopes.includes(scope))) return 'wider'
    const expiries = [old.expiresAt, acting.expiresAt].filter((each) => each !== null)
    const expiresAt = expiries.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null
    const fresh = { createdAt: by.at, activatedAt: by.at, lastUsedAt: null }
    const key = { ...old, ...fresh, id, hash, lastFour, replaces, expiresAt }
    putKey(database, key)
    issued(database, key, authorOf(acting, by), null)
    return 'committed'
  },
  touch: async (ref, at) => {
    const key = keyOf(database, ref)
    if (key === undefined || (key.lastUsedAt !== null && at <= key.lastUsedAt)) return
    database.keys.set(key.id, { ...key, lastUsedAt: at })
  },
})

const canManage = (key: ApiKey, at: Date): boolean =>
  key.scopes.includes('keys:write') && apiKeyStatusAt(key, at) === 'active'

/** The presented key, if it works and changes keys. */
function presented(database: Database, { hash, at }: PresentedKey): ApiKey | undefined {
  const key = database.keys.get(database.keyHashes.get(hash) ?? '')
  const tenant = key && database.tenants.get(key.tenantId)?.tenant
  return key && tenant?.status === 'active' && canManage(key, at) ? key : undefined
}

const authorOf = ({ id }: ApiKey, { address, at }: PresentedKey): AuditAuthor => ({
  actor: id,
  tokenId: null,
  address,
  session: null,
  at,
})

/** Adds a key. */
export function putKey(database: Database, key: ApiKey): void {
  tenantDataOf(database, key.tenantId).keyOrder.add(positionOf(key))
  database.keys.set(key.id, key)
  database.keyHashes.set(key.hash, key.id)
}

/** Activates the key of an approved proposal. */
export function activateKey(database: Database, id: string, author: AuditAuthor, proposalId: string): void {
  const key = database.keys.get(id)
  if (!key) throw new Error(`no API key ${id}`)
  database.keys.set(id, { ...key, activatedAt: author.at })
  issued(database, key, author, proposalId)
}

/** Writes the audit entries of a key that becomes active, and brings the expiry of the one that it replaces forward. */
function issued(database: Database, key: ApiKey, author: AuditAuthor, proposalId: string | null): void {
  writeAudit(database, keyIssued(key, author, proposalId))
  if (!key.replaces) return
  const old = keyOf(database, { id: key.replaces.keyId, tenantId: key.tenantId })
  if (!old || !hasSameRights(old, key))
    throw new Error(`the key ${key.id} has other rights than the key that it replaces`)
  const replacedExpiresAt = replacedKeyExpiry(old, key.replaces, author.at)
  database.keys.set(old.id, { ...old, expiresAt: replacedExpiresAt })
  writeAudit(database, keyRotated(old, { id: key.id, replacedExpiresAt }, author))
}

const hasSameRights = (one: ApiKey, other: ApiKey): boolean =>
  one.prefix === other.prefix && one.scopes.join() === other.scopes.join()

function keyOf({ keys }: Database, { id, tenantId }: ApiKeyRef) {
  const key = keys.get(id)
  return key?.tenantId === tenantId ? key : undefined
}
