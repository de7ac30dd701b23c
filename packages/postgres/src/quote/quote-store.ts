import type { QuoteStore } from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { quoteViewColumns, quoteViewFromRow, type QuoteViewRow } from './quote-row.ts'

const insertQuote: Statement = {
  name: 'quote.insert',
  text: `
    insert into quipu.quote (tenant_id, id, resolution_id, rate, target, principal, fee, source,
      bid, rate_source, created_at, expires_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now, now + make_interval(secs => $11)
    from quipu.store_now($12) now
    returning created_at, expires_at`,
}

const findQuote: Statement = {
  name: 'quote.find',
  text: `
    select ${quoteViewColumns('$3')} from quipu.quote q where q.tenant_id = $1 and q.id = $2`,
}

/** Quotes in PostgreSQL. Using one up is the payout store's. */
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
      database.now(),
    ])
    if (row === undefined) throw new Error(`quote ${draft.id} was not inserted`)
    return { ...draft, createdAt: row.created_at, expiresAt: row.expires_at }
  },
  find: async (tenantId, id) => {
    const [row] = await database.read<QuoteViewRow>(findQuote, [tenantId, id, database.now()])
    return row && quoteViewFromRow(row)
  },
})
