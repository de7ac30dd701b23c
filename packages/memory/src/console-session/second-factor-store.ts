import {
  codeAttemptsMax,
  codeLockMinutes,
  factorConfirmed,
  factorRemoved,
  sessionFingerprint,
  type SecondFactorStore,
} from '@quipu/core/operator'
import { actingToken } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { Database } from '../table/database.ts'
import { isUsable } from './used-code.ts'

export const memorySecondFactorStore = (database: Database): SecondFactorStore => ({
  confirmedAt: async (person) => database.secondFactors.get(person)?.confirmedAt ?? undefined,
  enrol: async (by, secret, at) => {
    const acting = actingToken(database, by, at)
    if (!acting) return 'unauthorized'
    const { person } = acting.token
    const before = database.secondFactors.get(person)
    if (before && before.confirmedAt !== null) return 'stale'
    const kept = { lastStep: 0, attempts: 0, attemptedAt: at, ...before }
    database.secondFactors.set(person, { ...kept, secret, confirmedAt: null })
    return 'committed'
  },
  claim: async (by, at) => {
    const acting = actingToken(database, by, at)
    if (!acting) return 'unauthorized'
    const factor = database.secondFactors.get(acting.token.person)
    if (!factor) return 'none'
    const isRecent = at.getTime() - factor.attemptedAt.getTime() < codeLockMinutes * 60_000
    if (factor.attempts >= codeAttemptsMax && isRecent) return 'locked'
    factor.attempts += 1
    factor.attemptedAt = at
    return { secret: factor.secret }
  },
  confirm: async (by, code, at) => {
    const acting = actingToken(database, by, at)
    if (!acting) return 'unauthorized'
    const { id: tokenId, person } = acting.token
    const factor = database.secondFactors.get(person)
    if (!factor || factor.confirmedAt !== null || !isUsable(database, person, by.tokenHash, code)) return 'stale'
    factor.confirmedAt = at
    for (const [hash, row] of database.consoleSessions)
      if (row.tokenId === tokenId && sessionFingerprint(hash) === by.session) row.hasSecondFactor = true
    writeAudit(database, factorConfirmed(person, acting.author))
    return 'committed'
  },
  remove: async (person, by, at) => {
    const acting = actingToken(database, by, at, ['admin'])
    if (!acting) return 'unauthorized'
    const factor = database.secondFactors.get(person)
    if (!factor || factor.confirmedAt === null || person === acting.token.person) return 'stale'
    database.secondFactors.delete(person)
    for (const row of database.consoleSessions.values())
      if (database.operatorTokens.get(row.tokenId)?.token.person === person) row.endedAt ??= at
    writeAudit(database, factorRemoved(person, acting.author))
    return 'committed'
  },
  secrets: async () => Array.from(database.secondFactors, ([person, { secret }]) => ({ person, secret })),
  renew: async (person, secret, renewed) => {
    const found = database.secondFactors.get(person)
    if (found?.secret !== secret) return false
    database.secondFactors.set(person, { ...found, secret: renewed })
    return true
  },
})
