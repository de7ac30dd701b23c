import {
  type Adjustment,
  legs,
  type Totals,
  type TransferType,
  usdt,
  type Wallet,
  type WalletStore,
} from '@quipu/core'
import type { BatchWriter } from '../connection/batch-writer.ts'
import type { Database, Statement } from '../connection/database.ts'
import type { AdjustResult } from './adjust-wallets.ts'
import { walletTransactions } from './wallet-transactions.ts'

const walletColumns = 'w.id, w.tenant_id, w.available, w.held, w.created_at, w.updated_at'

type WalletRow = {
  readonly id: string
  readonly tenant_id: string
  readonly available: bigint
  readonly held: bigint
  readonly created_at: Date
  readonly updated_at: Date
}

const types = Object.keys(legs) as TransferType[]

const totalColumns = types
  .map((type) => `coalesce(sum(amount) filter (where type = '${type}'), 0) as ${type}`)
  .join(', ')

const booksColumns = types
  .map((type) => `since.${type} + coalesce(carried.${type}, 0) as ${type}`)
  .join(', ')

type TotalsRow = Readonly<Record<TransferType, bigint>>

const findWallet: Statement = {
  name: 'wallet.find',
  text: `select ${walletColumns} from quipu.wallet w where w.tenant_id = $1`,
}

const totalsOf: Statement = {
  name: 'wallet.totals',
  text: `select ${totalColumns} from quipu.transfer where tenant_id = $1`,
}

/** One statement sees one moment: a closing, and all that moved since. */
const booksOf: Statement = {
  name: 'wallet.books',
  text: `
    select ${walletColumns}, ${booksColumns}
    from quipu.wallet w
    left join lateral (
      select * from quipu.closing c where c.tenant_id = w.tenant_id order by c.before desc limit 1
    ) carried on true
    cross join lateral (
      select ${totalColumns} from quipu.transfer t
      where t.tenant_id = w.tenant_id and t.created_at >= coalesce(carried.before, '-infinity')
    ) since
    where w.tenant_id = $1`,
}

export const walletStatements: readonly Statement[] = [findWallet, totalsOf, booksOf]

/** Wallets in PostgreSQL. What payouts and deposits move is their stores'. */
export const postgresWalletStore = (
  database: Database,
  adjustments: Pick<BatchWriter<Adjustment, AdjustResult>, 'write'>,
): WalletStore => ({
  find: async (tenantId) => {
    const [row] = await database.read<WalletRow>(findWallet, [tenantId])
    return row && walletFromRow(row)
  },
  totals: async (tenantId) => {
    const [row] = await database.read<TotalsRow>(totalsOf, [tenantId])
    if (row === undefined) throw new Error(`${tenantId} has no totals`)
    return totalsFromRow(row)
  },
  books: async (tenantId) => {
    const [row] = await database.read<WalletRow & TotalsRow>(booksOf, [tenantId])
    return row && { wallet: walletFromRow(row), totals: totalsFromRow(row) }
  },
  transactions: (tenantId, query) => walletTransactions(database, tenantId, query),
  adjust: adjustments.write,
})

const walletFromRow = (row: WalletRow): Wallet => ({
  id: row.id,
  tenantId: row.tenant_id,
  available: usdt(row.available),
  held: usdt(row.held),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const totalsFromRow = (row: TotalsRow): Totals => ({
  credited: usdt(row.deposit),
  debited: usdt(row.capture),
  adjusted: usdt(row.adjustment_in - row.adjustment_out),
  held: usdt(row.hold - row.capture - row.release),
})
