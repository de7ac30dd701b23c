import {
  type ConsoleSession,
  consoleSessionLife,
  type ConsoleSessionStore,
  endedSession,
  identityProvider,
  isTokenActive,
  newOperatorToken,
  type NewConsoleSession,
  type OperatorToken,
  sessionFingerprint,
  type SessionRecord,
  signedIn,
  signedOut,
  signInText,
} from '@quipu/core/operator'
import type { ConsoleSessionRow } from '../table/console-session-row.ts'
import type { Database } from '../table/database.ts'
import { type ActingToken, actingToken } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { newestFirst } from '../newest-first.ts'
import { putTokens } from '../operator-token/put-token.ts'
import { isSigned, isUsable } from './used-code.ts'

export function memoryConsoleSessionStore(database: Database): ConsoleSessionStore {
  const live = (row: ConsoleSessionRow, token: OperatorToken, at: Date, idleMs: number): boolean =>
    row.endedAt === null &&
    at < row.expiresAt &&
    at.getTime() - row.seenAt.getTime() < idleMs &&
    isTokenActive(token, at)
  const authenticate: ConsoleSessionStore['authenticate'] = async (hash, at, idleMs) => {
    const row = database.consoleSessions.get(hash)
    const stored = row && database.operatorTokens.get(row.tokenId)
    if (!row || !stored || !live(row, stored.token, at, idleMs)) return undefined
    const { origin, hasSecondFactor, seenAt, expiresAt } = row
    return { token: stored.token, tokenHash: stored.hash, expiresAt, origin, hasSecondFactor, seenAt }
  }
  const records = (at: Date, idleMs: number): SessionRecord[] =>
    Array.from(database.consoleSessions).flatMap(([hash, row]) => {
      const token = database.operatorTokens.get(row.tokenId)?.token
      if (!token || !live(row, token, at, idleMs)) return []
      const { endedAt: _, ...shown } = row
      return [{ ...shown, id: sessionFingerprint(hash), person: token.person, role: token.role }]
    })
  return {
    authenticate,
    open: async (session) => {
      const acting = actingToken(database, session.by, session.at)
      if (!acting) return 'unauthorized'
      const { person } = acting.token
      const factor = database.secondFactors.get(person)
      const isEnrolled = factor !== undefined && factor.confirmedAt !== null
      if (isEnrolled && !isUsable(database, person, session.hash, session.code)) return 'needs_second_factor'
      return insert(database, acting, session, { origin: 'token', hasSecondFactor: isEnrolled })
    },
    signIn: async (proven) => {
      const { person, role, tokenHash: hash, at, expiresAt, address } = proven
      if (!isSigned(database, signInText(proven), proven.mac) || expiresAt <= at) return undefined
      const made = { id: proven.tokenId, createdAt: at, createdBy: identityProvider, activatedAt: at }
      const token = newOperatorToken({ person, role, label: 'console', hash, expiresAt }, made)
      putTokens(database, [{ token, hash }])
      const author = { actor: person, tokenId: token.id, address, session: null, at }
      const by = { tokenHash: hash }
      return insert(database, { token, author }, { ...proven, by }, { origin: 'oidc', hasSecondFactor: true })
    },
    touch: async (hash, at) => {
      const row = database.consoleSessions.get(hash)
      if (row && row.seenAt < at) row.seenAt = at
    },
    list: async ({ person, now, idleMs, ...query }) => {
      const found = new Map(records(now, idleMs).map((record) => [record.id, record]))
      const order = newestFirst()
      for (const { id, createdAt } of found.values()) order.add({ id, createdAt })
      return order.page(query, (id) => {
        const record = found.get(id)
        return person === undefined || record?.person === person ? record : undefined
      })
    },
    end: async (hash, { address = null }, at) => {
      const row = database.consoleSessions.get(hash)
      const stored = row && database.operatorTokens.get(row.tokenId)
      if (!row || !stored || row.endedAt !== null) return false
      row.endedAt = at
      const { id: tokenId, person: actor } = stored.token
      const author = { actor, tokenId, address, session: sessionFingerprint(hash), at }
      writeAudit(database, signedOut(stored.token, author))
      return true
    },
    endListed: async (id, by, at) => {
      const acting = actingToken(database, by, at)
      if (!acting) return 'unauthorized'
      const [, row] = Array.from(database.consoleSessions).find(([hash]) => sessionFingerprint(hash) === id) ?? []
      const owner = row && database.operatorTokens.get(row.tokenId)?.token
      const isAllowed = acting.token.role === 'admin' || owner?.person === acting.token.person
      if (!row || row.endedAt !== null || row.expiresAt <= at || !isAllowed) return 'stale'
      row.endedAt = at
      writeAudit(database, endedSession({ id, tokenId: row.tokenId }, acting.author))
      return 'committed'
    },
  }
}

/** Inserts a session of the token, and removes those that have expired. */
function insert(
  database: Database,
  { token, author }: ActingToken,
  { hash, by, at, browser, ...asked }: NewConsoleSession,
  kind: Pick<ConsoleSession, 'origin' | 'hasSecondFactor'>,
): ConsoleSession {
  const expiresAt = asked.expiresAt < token.expiresAt ? asked.expiresAt : token.expiresAt
  if (expiresAt.getTime() - at.getTime() > consoleSessionLife.maxMinutes * 60_000)
    throw new Error(`a session lasts at most ${consoleSessionLife.maxMinutes} minutes`)
  const { consoleSessions } = database
  for (const [other, row] of consoleSessions) if (row.expiresAt <= at) consoleSessions.delete(other)
  if (consoleSessions.has(hash)) throw new Error('another session has this hash')
  const times = { createdAt: at, seenAt: at, expiresAt, endedAt: null }
  consoleSessions.set(hash, { tokenId: token.id, ...kind, address: author.address, browser, ...times })
  writeAudit(database, signedIn(token, { ...author, session: sessionFingerprint(hash) }, expiresAt))
  return { token, tokenHash: by.tokenHash, expiresAt, ...kind, seenAt: at }
}
