import {
  type ConsoleSession,
  consoleSessionHoursMax,
  type ConsoleSessionStore,
  isTokenActive,
  sessionFingerprint,
  signedIn,
  signedOut,
} from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { actingToken } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'

const longestMs = consoleSessionHoursMax * 3_600_000

export function memoryConsoleSessionStore(database: Database): ConsoleSessionStore {
  const authenticate = async (hash: string, at: Date): Promise<ConsoleSession | undefined> => {
    const row = database.consoleSessions.get(hash)
    const stored = row && database.operatorTokens.get(row.tokenId)
    if (!row || !stored || row.endedAt !== null || at >= row.expiresAt) return undefined
    const { token, hash: tokenHash } = stored
    return isTokenActive(token, at) ? { token, tokenHash, expiresAt: row.expiresAt } : undefined
  }
  return {
    authenticate,
    open: async ({ hash, by, at, ...asked }) => {
      const acting = actingToken(database, by, at)
      if (!acting) return undefined
      const { token } = acting
      const expiresAt = asked.expiresAt < token.expiresAt ? asked.expiresAt : token.expiresAt
      if (expiresAt.getTime() - at.getTime() > longestMs)
        throw new Error(`a session lasts at most ${consoleSessionHoursMax} hours`)
      removeExpired(database, at)
      if (database.consoleSessions.has(hash)) throw new Error('another session has this hash')
      database.consoleSessions.set(hash, { tokenId: token.id, expiresAt, endedAt: null })
      writeAudit(database, signedIn(token, { ...acting.author, session: sessionFingerprint(hash) }, expiresAt))
      return { token, tokenHash: by.tokenHash, expiresAt }
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
  }
}

function removeExpired({ consoleSessions }: Database, at: Date): void {
  for (const [hash, { expiresAt }] of consoleSessions) if (expiresAt <= at) consoleSessions.delete(hash)
}
