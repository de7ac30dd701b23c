import { Unavailable } from '@quipu/core'
import type { QuoteStore } from '@quipu/core/adapter'
import type { Database, Statement } from '../connection/database.ts'
import { quoteViewColumns, quoteViewFromRow, type QuoteViewRow } from './quote-row.ts'

// Decided by migrations/0003-quotes.sql.
const insertQuote: Statement = {
  name: 'insert_quote',
  text: `
    select created_at, expires_at, is_allowed
    from quipu.insert_quote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
}

const findQuote: Statement = {
  name: 'quote.find',
  text: `
    select ${quoteViewColumns('$3')} from quipu.quote q where q.tenant_id = $1 and q.id = $2`,
}

/** Null instants while quoting is paused, and when the caller is not allowed. */
type InsertedRow = { readonly is_allowed: boolean } & (
  | { readonly created_at: Date; readonly expires_at: Date }
  | { readonly created_at: null; readonly expires_at: null }
)

/** Quotes in PostgreSQL. `accept_payouts` marks them as used. */
export const postgresQuoteStore = (database: Database): QuoteStore => ({
  insert: async (draft, lifeSeconds, keyId) => {
    const [row] = await database.query<InsertedRow>(insertQuote, [
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
      keyId,
      database.clockOverride(),
    ])
    if (row === undefined) throw new Error(`insert_quote returned no row for quote ${draft.id}`)
    if (!row.is_allowed) return 'not_allowed'
    const { created_at: createdAt, expires_at: expiresAt } = row
    if (createdAt === null) throw new Unavailable('rate_source', 'an operator has paused quoting')
    return { ...draft, createdAt, expiresAt }
  },
  find: async (tenantId, id) => {
    const [row] = await database.read<QuoteViewRow>(findQuote, [tenantId, id, database.clockOverride()])
    return row && quoteViewFromRow(row)
  },
})
