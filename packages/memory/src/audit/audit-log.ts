import {
  auditExport,
  type AuditEntry,
  type AuditFlaw,
  auditHash,
  type AuditLog,
  type AuditPosition,
  type AuditQuery,
  type AuditRecord,
  auditStart,
  nextPosition,
} from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { actingToken } from '../access/acting-token.ts'

/** Adds an entry, chained to the one before it. */
export function writeAudit({ audit }: Pick<Database, 'audit'>, entry: AuditEntry): void {
  audit.push({ ...entry, ...nextPosition(audit.at(-1) ?? auditStart, entry) })
}

const nobody = { actor: null, tokenId: null, address: null, session: null }

export const memoryAuditLog = (database: Database): AuditLog => ({
  recordRefusal: async (refusal, by) => {
    const acting = actingToken(database, by, refusal.at)
    if (!acting) return
    writeAudit(database, { ...refusal, ...acting.author, action: 'operator.refuse', before: null })
  },
  recordLookUp: async (secretHash, at, by) => {
    const acting = actingToken(database, by, at)
    if (!acting) return 'unauthorized'
    const found = withHash(database, secretHash)
    if (!found) return 'unknown'
    writeAudit(database, { ...acting.author, ...found, action: 'secret.look_up', at, before: null, after: null })
    return 'committed'
  },
  recordExport: async (taken, by) => {
    const acting = actingToken(database, by, taken.at)
    if (!acting) return 'unauthorized'
    writeAudit(database, auditExport(taken, acting.author))
    return 'committed'
  },
  recordFailedLogins: async ({ address, at, failures }) =>
    writeAudit(database, {
      ...nobody,
      action: 'operator.fail_login',
      tenantId: null,
      subject: address,
      at,
      before: null,
      after: { failures },
    }),
  list: async (query) =>
    database.audit
      .filter(matches(query))
      .toReversed()
      .slice(0, query.limit)
      .map((entry) => withoutErased(database, entry)),
  verify: async (after, entries) => {
    const isAfter = ({ id }: AuditRecord) => id > after.id
    const slice = database.audit.filter(isAfter).slice(0, entries)
    const flaw = startFlaw(database.audit, after)
    return flaw ? { flaw, verified: after, count: slice.length } : verified(after, slice)
  },
})

/** The entry without the contacts that were erased after it: they are outside of the chain. */
function withoutErased({ erasedContacts }: Database, entry: AuditRecord): AuditRecord {
  if (entry.id >= (erasedContacts.get(entry.subject) ?? 0n)) return entry
  const erased = (state: AuditRecord['before']): AuditRecord['before'] =>
    state !== null && 'contact_name' in state ? { ...state, contact_name: null, contact_email: null } : state
  return { ...entry, before: erased(entry.before), after: erased(entry.after) }
}

/** The API key or the operator's token with this hash. */
function withHash(
  { keys, keyHashes, operatorTokens }: Database,
  hash: string,
): Pick<AuditEntry, 'subject' | 'tenantId'> | undefined {
  const key = keys.get(keyHashes.get(hash) ?? '')
  if (key) return { subject: key.id, tenantId: key.tenantId }
  const token = Array.from(operatorTokens.values()).find((each) => each.hash === hash)?.token
  return token && { subject: token.id, tenantId: null }
}

const matches =
  ({ subject, tenantId, actor, tokenId, action, from, to, before }: AuditQuery) =>
  (entry: AuditRecord): boolean =>
    (subject === undefined || entry.subject === subject) &&
    (tenantId === undefined || entry.tenantId === tenantId) &&
    (actor === undefined || entry.actor === actor) &&
    (tokenId === undefined || entry.tokenId === tokenId) &&
    (action === undefined || entry.action === action) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at <= to) &&
    (before === undefined || entry.id < before)

function startFlaw(audit: readonly AuditRecord[], after: AuditPosition): AuditFlaw | undefined {
  if (after.id === 0n) return undefined
  const start = audit.find(({ id }) => id === after.id)
  if (!start) return { id: after.id, detail: 'the entry is missing' }
  return start.hash === after.hash ? undefined : { id: after.id, detail: 'the entry has another hash than it had' }
}

function verified(after: AuditPosition, slice: readonly AuditRecord[]) {
  let last = after
  for (const entry of slice) {
    const flaw = flawAfter(last, entry)
    if (flaw) return { flaw, verified: last, count: slice.length }
    last = { id: entry.id, hash: entry.hash }
  }
  return { flaw: null, verified: last, count: slice.length }
}

function flawAfter({ id, hash }: AuditPosition, entry: AuditRecord): AuditFlaw | undefined {
  if (entry.id !== id + 1n) return { id: id + 1n, detail: 'the entry is missing' }
  if (entry.hash === auditHash(hash, entry.id, entry)) return undefined
  const detail = 'the entry was changed or inserted, or the hash of the entry before it was changed'
  return { id: entry.id, detail }
}
