import { type PayoutStore, Unavailable } from '@quipu/core'
import type { Database, Statement } from './database.ts'
import { naturalBatches, type Outcome } from './natural-batches.ts'
import {
  quoteViewColumns,
  quoteViewFromRow,
  type QuoteViewRow,
  resolutionColumns,
  resolutionFromRow,
  type ResolutionRow,
} from './quote-row.ts'

/**
 * One statement, so that all is of one moment: whether there is a payout, its quote and its
 * resolution. The payout itself, which only a repeated request finds, is read afterwards.
 */
export const lookAtPayouts: Statement = {
  name: 'payout.look',
  text: `
    select known.is_known, named.*, resolution.*
    from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality
      as i(tenant_id, transaction_id, quote_id, place)
    left join lateral (
      select true as is_known from quipu.payout p
      where p.tenant_id = i.tenant_id and p.transaction_id = i.transaction_id limit 1
    ) known on true
    left join lateral (
      select ${quoteViewColumns('$4')} from quipu.quote q
      where q.tenant_id = i.tenant_id and q.id = i.quote_id limit 1
    ) named on true
    left join lateral (
      select ${resolutionColumns} from quipu.qr_resolution r
      where r.tenant_id = i.tenant_id and r.id = named.quote_resolution_id limit 1
    ) resolution on true
    order by i.place`,
}

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null }

type LookRow = { readonly is_known: true | null } & Nullable<QuoteViewRow> & Nullable<ResolutionRow>

type Asked = readonly [tenantId: string, transactionId: string, quoteId: string]

/** Looks that are asked for at once are answered by one statement: most of its cost is its own. */
export function payoutLooks(database: Database, find: PayoutStore['find']): PayoutStore['look'] {
  const look = async (asked: readonly Asked[]): Promise<LookRow[]> => {
    const column = (place: 0 | 1 | 2): string[] => asked.map((each) => each[place])
    const values = [column(0), column(1), column(2), database.now()]
    return database.look<LookRow>(lookAtPayouts, values)
  }
  const single = async (asked: Asked): Promise<Outcome<LookRow>> => {
    try {
      return outcomeOf((await look([asked]))[0])
    } catch (error) {
      return { error }
    }
  }
  const batches = naturalBatches(['one', 'other'], 64, async (_, asked: readonly Asked[]) => {
    try {
      const rows = await look(asked)
      return asked.map((_, place) => outcomeOf(rows[place]))
    } catch (error) {
      // What only one of them is to blame for must not fail the others. A database that is gone is
      // nobody's fault, and to ask for each of them would keep those that wait waiting.
      const isNobodys = error instanceof Unavailable || asked.length === 1
      return isNobodys ? asked.map(() => ({ error })) : Promise.all(asked.map(single))
    }
  })
  return async (tenantId, transactionId, quoteId) => {
    const row = await batches.add([tenantId, transactionId, quoteId])
    return {
      known: row.is_known ? await find(tenantId, transactionId) : undefined,
      // Each is there when its id is: an outer join fills a row or none of it.
      quote: row.quote_id === null ? undefined : quoteViewFromRow(row as QuoteViewRow),
      resolution: row.resolution_id === null ? undefined : resolutionFromRow(row as ResolutionRow),
    }
  }
}

const outcomeOf = (row: LookRow | undefined): Outcome<LookRow> =>
  row === undefined ? { error: new Error('a look without a row') } : { result: row }
