import { Unavailable } from '@quipu/core'
import { expectPositive, type QuoteStore, type QuoteView } from '@quipu/core/adapter'
import { type Database, tenantDataOf, secondsAfter } from '../table/database.ts'
import { mayAct } from '../access/may-act.ts'

export const memoryQuoteStore = (database: Database): QuoteStore => ({
  insert: async (draft, lifeSeconds, keyId) => {
    if (!mayAct(database, draft.tenantId, keyId)) return 'not_allowed'
    for (const amount of [draft.target, draft.source]) expectPositive('quotes.insert', amount)
    if (database.quoting.status === 'paused') throw new Unavailable('rate_source', 'an operator has paused quoting')
    const data = tenantDataOf(database, draft.tenantId)
    if (draft.resolutionId !== null && !data.resolutions.has(draft.resolutionId)) return 'no_resolution'
    const createdAt = database.now()
    const quote = { ...draft, createdAt, expiresAt: secondsAfter(createdAt, lifeSeconds) }
    data.quotes.set(quote.id, { quote, payoutId: null })
    return quote
  },
  find: async (tenantId, id) => viewQuote(database, tenantId, id),
})

export function viewQuote(database: Database, tenantId: string, id: string): QuoteView | undefined {
  const row = database.tenants.get(tenantId)?.quotes.get(id)
  if (row === undefined) return undefined
  const expired = row.quote.expiresAt <= database.now()
  return { ...row, status: row.payoutId !== null ? 'used' : expired ? 'expired' : 'open' }
}
