import { Unavailable } from '@quipu/core'
import type { QuoteStore } from '@quipu/core/adapter'
import { type Database, statement } from '../connection/database.ts'
import type { QuoteCommits } from './quote-commits.ts'
import { quoteViewColumns, quoteViewFromRow, type QuoteViewRow } from './quote-row.ts'

const findQuote = statement('quote.find')`
  select ${quoteViewColumns('$3')} from quipu.quote q where q.tenant_id = $1 and q.id = $2`

/** Quotes in PostgreSQL. `accept_payouts` marks them as used. */
export const postgresQuoteStore = (
  database: Database,
  { insertQuote }: Pick<QuoteCommits, 'insertQuote'>,
): QuoteStore => ({
  insert: async (draft, lifeSeconds, keyId) => {
    const result = await insertQuote({ draft, lifeSeconds, keyId })
    if (result === 'paused') throw new Unavailable('rate_source', 'an operator has paused quoting')
    return typeof result === 'string' ? result : { ...draft, ...result }
  },
  find: async (tenantId, id) => {
    const [row] = await database.read<QuoteViewRow>(findQuote, [tenantId, id, database.clockOverride()])
    return row && quoteViewFromRow(row)
  },
})
