import type { ResolutionStore } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { resolutionColumns, resolutionFromRow, type ResolutionRow } from './quote-row.ts'

// Decided by migrations/0003-quotes.sql.
const insertResolution: Statement = {
  name: 'insert_resolution',
  text: 'select quipu.insert_resolution($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
}

const findResolution: Statement = {
  name: 'resolution.find',
  text: `
    select ${resolutionColumns} from quipu.qr_resolution r where r.tenant_id = $1 and r.id = $2`,
}

/** QR readings in PostgreSQL. */
export const postgresResolutionStore = (database: Database): ResolutionStore => ({
  insert: async (resolution) => {
    await database.query(insertResolution, [
      resolution.tenantId,
      resolution.id,
      resolution.networkRef,
      resolution.amountMode,
      resolution.amount?.minor,
      resolution.merchant.name,
      resolution.merchant.bankCode,
      resolution.description,
      resolution.expiresAt,
      resolution.contentHash,
      resolution.createdAt,
    ])
  },
  find: async (tenantId, id) => {
    const [row] = await database.read<ResolutionRow>(findResolution, [tenantId, id])
    return row && resolutionFromRow(row)
  },
})
