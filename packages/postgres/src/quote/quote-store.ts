import { Unavailable } from '@quipu/core'
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

/** Nulls while quoting is paused. */
type InsertedRow =
  | { readonly created_at: Date; readonly expires_at: Date }
  | { readonly created_at: null; readonly expires_at: null }

/** Quotes in PostgreSQL. `apply_payouts` marks them as used. */
export const postgresQuoteStore = (database: Database): QuoteStore => ({
  insert: async (draft, lifeSeconds) => {
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
      database.clockOverride(),
    ])
    if (row === undefined) throw new Error(`insert_quote returned no row for quote ${draft.id}`)
    const { created_at: createdAt, expires_at: expiresAt } = row
    if (createdAt === null) throw new Unavailable('rate_source', 'an operator has paused quoting')
    return { ...draft, createdAt, expiresAt }
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
