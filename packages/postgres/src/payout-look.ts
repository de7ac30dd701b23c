import { type Look, type PayoutStore, Unavailable } from '@quipu/core'
import type { Database, Statement } from './database.ts'
import { naturalBatches, type Outcome } from './natural-batches.ts'
import { knownColumns, knownFromRow, type KnownRow, knownTables } from './payout-row.ts'
import {
  quoteViewColumns,
  quoteViewFromRow,
  type QuoteViewRow,
  resolutionColumns,
  resolutionFromRow,
  type ResolutionRow,
  withoutPrefix,
} from './quote-row.ts'

/** One statement, so that a payout, its quote and its resolution are of one moment. */
export const lookAtPayouts: Statement = {
  name: 'payout.look',
  text: `
    select known.*, named.*, resolution.*
    from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality
      as i(tenant_id, transaction_id, quote_id, place)
    left join lateral (
      select ${knownColumns('$4')} from ${knownTables}
      where p.tenant_id = i.tenant_id and p.transaction_id = i.transaction_id limit 1
    ) known on true
    left join lateral (
      select ${quoteViewColumns('$4', 'named_')} from quipu.quote q
      where q.tenant_id = i.tenant_id and q.id = i.quote_id limit 1
    ) named on true
    left join lateral (
      select ${resolutionColumns} from quipu.qr_resolution r
      where r.tenant_id = i.tenant_id and r.id = named.named_quote_resolution_id limit 1
    ) resolution on true
    order by i.place`,
}

type LookRow = { readonly [Column in keyof KnownRow]: KnownRow[Column] | null } & {
  readonly [Column in keyof QuoteViewRow as `named_${Column}`]: QuoteViewRow[Column] | null
} & { readonly [Column in keyof ResolutionRow]: ResolutionRow[Column] | null }

type Asked = readonly [tenantId: string, transactionId: string, quoteId: string]

/** Looks that are asked for at once are answered by one statement: most of its cost is its own. */
export function payoutLooks(database: Database): PayoutStore['look'] {
  const look = async (asked: readonly Asked[]): Promise<LookRow[]> => {
    const column = (place: 0 | 1 | 2): string[] => asked.map((each) => each[place])
    const values = [column(0), column(1), column(2), database.now()]
    return database.look<LookRow>(lookAtPayouts, values)
  }
  const single = async (asked: Asked): Promise<Outcome<Look>> => {
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
  return (...asked) => batches.add(asked)
}

const outcomeOf = (row: LookRow | undefined): Outcome<Look> =>
  row === undefined ? { error: new Error('a look without a row') } : { result: lookFromRow(row) }

/** Each of the three is there when its id is: an outer join fills a row or none of it. */
const lookFromRow = (row: LookRow): Look => ({
  known: row.id === null ? undefined : knownFromRow(row as KnownRow),
  quote: row.named_quote_id === null ? undefined : quoteViewFromRow(withoutPrefix(row, 'named_')),
  resolution: row.resolution_id === null ? undefined : resolutionFromRow(row as ResolutionRow),
})
