import { auditChainContract, testOperatorTokens } from '@quipu/contracts'
import { emptyDatabase } from '../table/database.ts'
import { putTokens } from '../operator-token/put-token.ts'
import { memoryAuditLog } from './audit-log.ts'

auditChainContract('memory', async () => {
  const now = () => new Date('2026-04-01T00:00:00.000Z')
  const database = putTokens(emptyDatabase(now), testOperatorTokens())
  const { audit } = database
  const placeOf = (id: bigint) => audit.findIndex((record) => record.id === id)
  return {
    audit: memoryAuditLog(database),
    forgery: {
      replace: async (id, record) => void audit.splice(placeOf(id), 1, record),
      remove: async (id) => void audit.splice(placeOf(id), 1),
      insert: async (record) => {
        audit.push(record)
        audit.sort((a, b) => Number(a.id - b.id))
      },
    },
    advance: async () => {},
    close: async () => {},
  }
})
