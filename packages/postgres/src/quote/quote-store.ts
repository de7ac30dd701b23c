import type { QuoteStore } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { quoteViewColumns, quoteViewFromRow, type QuoteViewRow } from './quote-row.ts'

// Decided by migrations/0003-quotes.sql.
const insertQuote: Statement = {
  name: 'insert_quote',
  text: `
    select created_at, expires_at
    from quipu.insert_quote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}

const findQuote: Statement = {
  name: 'quote.find',
  text: `
    select ${quoteViewColumns('$3')} from quipu.quote q where q.tenant_id = $1 and q.id = $2`,
}

/** Quotes in PostgreSQL. `apply_payouts` marks them as used. */
export const postgresQuoteStore = (database: Database): QuoteStore => ({
  insert: async (draft, lifeSeconds) => {
    const [row] = await database.query<{ created_at: Date; expires_at: Date }>(insertQuote, [
      draft.tenantId,
      draft.id,
      draft.resolutionId,
      draft.rate,
      draft.target.minor,
      draft.principal.minor,
      draft.fee.minor,
      draft.source.minor,
      draft.bid,
      draft.rateSource,
      lifeSeconds,
      database.clockOverride(),
    ])
    if (row === undefined) throw new Error(`insert_quote returned no row for quote ${draft.id}`)
    return { ...draft, createdAt: row.created_at, expiresAt: row.expires_at }
  },
  find: async (tenantId, id) => {
    const [row] = await database.read<QuoteViewRow>(findQuote, [
      tenantId,
      id,
      database.clockOverride(),
    ])
    return row && quoteViewFromRow(row)
  },
})
