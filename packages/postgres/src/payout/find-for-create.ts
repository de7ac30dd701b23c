import type { FoundForCreate, PayoutStore } from '@quipu/core/adapter'
import { type Database, type Query, type Statement, statement } from '../connection/database.ts'
import { arrayParameters, rowsOf } from '../batch/array-parameters.ts'
import type { WorthWaitingFor } from '../batch/natural-batches.ts'
import { sharedStatement } from '../batch/shared-statement.ts'
import {
  quoteViewColumns,
  quoteViewFromRow,
  type QuoteViewRow,
  resolutionColumns,
  resolutionFromRow,
  type ResolutionRow,
} from '../quote/quote-row.ts'

type Ref = readonly [tenantId: string, transactionId: string, quoteId: string]

const refs = arrayParameters<Ref>({
  tenant_id: ['text', ([tenantId]) => tenantId],
  transaction_id: ['text', ([, transactionId]) => transactionId],
  quote_id: ['uuid', ([, , quoteId]) => quoteId],
})

/**
 * One statement, so one snapshot: whether the payout exists, its quote and its resolution. The payout itself,
 * which only a repeated request finds, is read afterwards.
 */
export const findForCreateStatement: Statement = statement('payout.find_for_create')`
  select payout.is_stored, named.*, resolution.*
  from ${rowsOf(refs, 'i')}
  left join lateral (
    select true as is_stored from quipu.payout p
    where p.tenant_id = i.tenant_id and p.transaction_id = i.transaction_id limit 1
  ) payout on true
  left join lateral (
    select ${quoteViewColumns('$4')} from quipu.quote q
    where q.tenant_id = i.tenant_id and q.id = i.quote_id limit 1
  ) named on true
  left join lateral (
    select ${resolutionColumns} from quipu.qr_resolution r
    where r.tenant_id = i.tenant_id and r.id = named.quote_resolution_id limit 1
  ) resolution on true
  order by i.place`

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null }

type FoundRow = { readonly is_stored: true | null } & Nullable<QuoteViewRow> & Nullable<ResolutionRow>

/** Concurrent `latest` readings share one statement. */
export function findForCreate(
  database: Database,
  find: PayoutStore['find'],
  worthWaitingFor: WorthWaitingFor,
): PayoutStore['findForCreate'] {
  const rowsBy = (query: Query, items: readonly Ref[]): Promise<FoundRow[]> =>
    query<FoundRow>(findForCreateStatement, [...refs.encode(items), database.clockOverride()])
  const readLatest = (items: readonly Ref[]) => rowsBy(database.readLatest, items)
  const latest = sharedStatement(findForCreateStatement.name, readLatest, worthWaitingFor)
  const confirmed = async (ref: Ref): Promise<FoundRow> => {
    const [row] = await rowsBy(database.read, [ref])
    if (row === undefined) throw new Error('payout.find_for_create returned no row')
    return row
  }
  return async (tenantId, transactionId, quoteId, reading): Promise<FoundForCreate> => {
    const ref = [tenantId, transactionId, quoteId] as const
    const row = await (reading === 'latest' ? latest(ref) : confirmed(ref))
    return {
      stored: row.is_stored ? await find(tenantId, transactionId) : undefined,
      // An outer join fills all columns of a row or none.
      quote: row.quote_id === null ? undefined : quoteViewFromRow(row as QuoteViewRow),
      resolution: row.resolution_id === null ? undefined : resolutionFromRow(row as ResolutionRow),
    }
  }
}
