import { usdt, type Wallet } from '@quipu/core'
import { transferLegs, type WalletTotals, type TransferType, type WalletStore } from '@quipu/core/adapter'
import type { Adjustment } from '@quipu/core/operator'
import type { BatchWriter } from '../batch/batch-writer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import type { AdjustResult } from './adjust-wallets.ts'
import { dailyUse, dailyUseFromRow, type DailyUseRow } from '../tenant/tenant-row.ts'
import { walletTransactions } from './wallet-transactions.ts'

const usedToday = dailyUse('$2')

const walletColumns = `w.id, w.tenant_id, w.available, w.held, w.created_at, w.updated_at, ${usedToday.columns}, (
  select b.amount from quipu.balance_threshold b where b.tenant_id = w.tenant_id limit 1
) as threshold`

type WalletRow = DailyUseRow & {
  readonly id: string
  readonly tenant_id: string
  readonly available: bigint
  readonly held: bigint
  readonly threshold: bigint | null
  readonly created_at: Date
  readonly updated_at: Date
}

const types = Object.keys(transferLegs) as TransferType[]

const totalColumns = types
  .map((type) => `coalesce(sum(p.amount) filter (where p.type = '${type}'), 0) as ${type}`)
  .join(', ')

const moving = ['deposit', 'capture', 'adjustment_in', 'adjustment_out'] as const

const bookColumns = moving.map((type) => `since.${type} + coalesce(newest.${type}, 0) as ${type}`).join(', ')

const sinceColumns = moving.map((type) => `coalesce(sum(m.${type}), 0) as ${type}`).join(', ')

type MovedRow = Readonly<Record<(typeof moving)[number], bigint>>

const findWallet = statement('wallet.find')`
  select ${walletColumns} from quipu.wallet w ${usedToday.join} where w.tenant_id = $1`

const totalsOf = statement('wallet.totals')`select ${totalColumns} from quipu.posting p where p.tenant_id = $1`

/** One statement, so one snapshot: the newest checkpoint, the log since, and the holds of payouts in `processing`. */
export const booksOf: Statement = statement('wallet.books')`
  select ${walletColumns}, ${bookColumns}, holds.hold
  from quipu.wallet w ${usedToday.join}
  left join lateral (
    select * from quipu.balance_checkpoint c
    where c.tenant_id = w.tenant_id order by c.through_seq desc limit 1
  ) newest on true
  cross join lateral (
    select ${sinceColumns} from quipu.log_movement m
    where m.tenant_id = $1 and (m.logged_at, m.seq)
      > (coalesce(newest.through_at, '-infinity'), coalesce(newest.through_seq, 0))
      -- Excludes nothing. Of a range the planner expects few rows, and so it uses the log's index.
      and m.logged_at between coalesce(newest.through_at, '-infinity') and 'infinity'
  ) since
  cross join (
    select coalesce(sum(h.hold), 0) as hold from quipu.held_payout h where h.tenant_id = $1
  ) holds
  where w.tenant_id = $1`

// Decided by migrations/0050-balance-thresholds.sql.
const setBalanceThreshold = statement('set_balance_threshold')`select quipu.set_balance_threshold($1, $2, $3)`
const recordCrossings = statement('record_crossings')`select quipu.record_crossings($1, $2) as crossed`

/** Wallets in PostgreSQL. The stores of payouts and deposits move their money. */
export const postgresWalletStore = (
  database: Database,
  adjustments: Pick<BatchWriter<Adjustment, AdjustResult>, 'write'>,
): WalletStore => ({
  find: async (tenantId) => {
    const [row] = await database.read<WalletRow>(findWallet, [tenantId, database.clockOverride()])
    return row && walletFromRow(row)
  },
  totals: async (tenantId) => {
    const [row] = await database.read<Readonly<Record<TransferType, bigint>>>(totalsOf, [tenantId])
    if (row === undefined) throw new Error(`the totals query returned no row for ${tenantId}`)
    return totalsFromRow(row, row.hold - row.capture - row.release)
  },
  books: async (tenantId) => {
    const [row] = await database.read<WalletRow & MovedRow & { hold: bigint }>(booksOf, [
      tenantId,
      database.clockOverride(),
    ])
    return row && { wallet: walletFromRow(row), totals: totalsFromRow(row, row.hold) }
  },
  transactions: (tenantId, query) => walletTransactions(database, tenantId, query),
  adjust: adjustments.write,
  setLowBalanceThreshold: async (tenantId, threshold) => {
    await database.write(setBalanceThreshold, [tenantId, threshold?.minor ?? null, database.clockOverride()])
  },
  recordCrossings: async (limit) => {
    const [row] = await database.write<{ crossed: number }>(recordCrossings, [limit, database.clockOverride()])
    return row?.crossed ?? 0
  },
})

const walletFromRow = (row: WalletRow): Wallet => ({
  id: row.id,
  tenantId: row.tenant_id,
  available: usdt(row.available),
  held: usdt(row.held),
  usedToday: dailyUseFromRow(row),
  lowBalanceThreshold: row.threshold === null ? null : usdt(row.threshold),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const totalsFromRow = (row: MovedRow, held: bigint): WalletTotals => ({
  credited: usdt(row.deposit),
  debited: usdt(row.capture),
  adjusted: usdt(row.adjustment_in - row.adjustment_out),
  held: usdt(held),
})
