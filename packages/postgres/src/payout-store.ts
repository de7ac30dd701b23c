import type { Look, PayoutStore } from '@quipu/core'
import type { Database, Statement } from './database.ts'
import type { PayoutCommits } from './payout-commit.ts'
import { listPayouts } from './payout-list.ts'
import { payoutQueue } from './payout-queue.ts'
import {
  knownFromRow,
  type KnownRow,
  payoutColumns,
  payoutFromRow,
  type PayoutRow,
  payoutTables,
} from './payout-row.ts'
import {
  quoteViewColumns,
  quoteViewFromRow,
  type QuoteViewRow,
  resolutionColumns,
  resolutionFromRow,
  type ResolutionRow,
} from './quote-row.ts'

const known = (now: string): string => `
  select ${payoutColumns}, coalesce(o.leased and o.due_at > quipu.store_now(${now}), false) as leased
  from ${payoutTables('quipu.payout')}
  left join quipu.payout_open o on o.tenant_id = p.tenant_id and o.payout_id = p.id
  where p.tenant_id = $1 and p.transaction_id = $2`

const findPayout: Statement = { name: 'payout.find', text: known('$3') }

/** One statement, so that payout, quote and resolution are of one moment. */
const lookAtPayout: Statement = {
  name: 'payout.look',
  text: `
    with known as materialized (${known('$4')})
    select known.*, ${quoteViewColumns('$4', 'named_')}, ${resolutionColumns}
    from (values (1)) one
    left join known on true
    left join quipu.quote q on q.tenant_id = $1 and q.id = $3
    left join quipu.qr_resolution r on r.tenant_id = q.tenant_id and r.id = q.resolution_id`,
}

const getPayout: Statement = {
  name: 'payout.get',
  text: `
    select ${payoutColumns} from ${payoutTables('quipu.payout')}
    where p.tenant_id = $1 and p.id = $2`,
}

export const lookStatements: readonly Statement[] = [findPayout, lookAtPayout, getPayout]

type LookRow = { readonly [Column in keyof KnownRow]: KnownRow[Column] | null } & {
  readonly [Column in keyof QuoteViewRow as `named_${Column}`]: QuoteViewRow[Column] | null
} & { readonly [Column in keyof ResolutionRow]: ResolutionRow[Column] | null }

/** Each of the three is there when its id is: an outer join fills a row or none of it. */
const lookFromRow = (row: LookRow): Look => ({
  known: row.id === null ? undefined : knownFromRow(row as KnownRow),
  quote:
    row.named_quote_id === null
      ? undefined
      : quoteViewFromRow(withoutPrefix(row, 'named_') as QuoteViewRow),
  resolution: row.resolution_id === null ? undefined : resolutionFromRow(row as ResolutionRow),
})

const withoutPrefix = (row: object, prefix: string): object => {
  const columns = Object.entries(row).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(columns.map(([name, value]) => [name.slice(prefix.length), value]))
}

/** Payouts in PostgreSQL; see migrations/0004-payouts.sql for the tables. */
export const postgresPayoutStore = (database: Database, commits: PayoutCommits): PayoutStore => ({
  ...payoutQueue(database),
  commit: commits.commit,
  look: async (tenantId, transactionId, quoteId) => {
    const values = [tenantId, transactionId, quoteId, database.now()]
    const [row] = await database.look<LookRow>(lookAtPayout, values)
    if (row === undefined) throw new Error('a look without a row')
    return lookFromRow(row)
  },
  find: async (tenantId, transactionId) => {
    const values = [tenantId, transactionId, database.now()]
    const [row] = await database.look<KnownRow>(findPayout, values)
    return row && knownFromRow(row)
  },
  get: async (tenantId, id) => {
    const [row] = await database.look<PayoutRow>(getPayout, [tenantId, id])
    return row && payoutFromRow(row)
  },
  list: (tenantId, query) => listPayouts(database, tenantId, query),
})
