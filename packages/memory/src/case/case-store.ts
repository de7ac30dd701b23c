import { caseNoted, type CaseStore, caseReleased, caseTaken } from '@quipu/core/operator'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { newestFirst } from '../newest-first.ts'
import type { Database } from '../table/database.ts'

const notesMax = 200

export const memoryCaseStore = (database: Database): CaseStore => ({
  notes: async (subject) => (database.caseNotes.get(subject) ?? []).slice(0, notesMax),
  taker: async (subject) => database.caseTakers.get(subject),
  taken: async (query) => {
    const order = newestFirst()
    for (const { id, createdAt } of database.caseTakers.values()) order.add({ id, createdAt })
    return order.page(query, (id) => database.caseTakers.get(id))
  },
  note: async (id, subject, note, by, at) => {
    const acting = actingToken(database, by, at, writers)
    if (!acting) return 'unauthorized'
    const { person } = acting.token
    database.caseNotes.set(subject, [...(database.caseNotes.get(subject) ?? []), { id, person, note, createdAt: at }])
    writeAudit(database, caseNoted(subject, id, acting.author))
    return 'committed'
  },
  take: async (subject, by, at) => {
    const acting = actingToken(database, by, at, writers)
    if (!acting) return 'unauthorized'
    const { person } = acting.token
    const taker = database.caseTakers.get(subject)
    if (taker) return taker.person === person ? 'committed' : 'stale'
    database.caseTakers.set(subject, { id: subject, person, createdAt: at })
    writeAudit(database, caseTaken(subject, acting.author))
    return 'committed'
  },
  release: async (subject, by, at) => {
    const acting = actingToken(database, by, at, writers)
    if (!acting) return 'unauthorized'
    const taker = database.caseTakers.get(subject)
    if (!taker || (taker.person !== acting.token.person && acting.token.role !== 'admin')) return 'stale'
    database.caseTakers.delete(subject)
    writeAudit(database, caseReleased(subject, taker.person, acting.author))
    return 'committed'
  },
})
