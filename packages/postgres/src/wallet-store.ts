import { auditAdjustment, type TransferType, usdt, type WalletStore } from '@quipu/core'
import { insertAudit } from './audit-log.ts'
import type { Database, Statement } from './database.ts'

const findWallet: Statement = {
  name: 'wallet.find',
  text: `
    select id, tenant_id, available, held, created_at, updated_at
    from quipu.wallet where tenant_id = $1`,
}

type WalletRow = {
  readonly id: string
  readonly tenant_id: string
  readonly available: bigint
  readonly held: bigint
  readonly created_at: Date
  readonly updated_at: Date
}

const totalsOf: Statement = {
  name: 'wallet.totals',
  text: `select type, sum(amount) as total from quipu.transfer where tenant_id = $1 group by type`,
}

type TotalRow = { readonly type: TransferType; readonly total: bigint }

const adjustWallet: Statement = {
  name: 'wallet.adjust',
  text: `select verdict, moved_at from quipu.adjust_wallet($1, $2, $3, $4, $5, $6, $7)`,
}

type AdjustRow = {
  readonly verdict: Awaited<ReturnType<WalletStore['adjust']>>
  readonly moved_at: Date
}

/** Wallets in PostgreSQL. What payouts move is the payout store's. */
export const postgresWalletStore = (database: Database): WalletStore => ({
  find: async (tenantId) => {
    const [row] = await database.look<WalletRow>(findWallet, [tenantId])
    return (
      row && {
        id: row.id,
        tenantId: row.tenant_id,
        available: usdt(row.available),
        held: usdt(row.held),
        createdAt: row.created_at,
        updatedAt: row.updated_at,
      }
    )
  },
  totals: async (tenantId) => {
    const rows = await database.query<TotalRow>(totalsOf, [tenantId])
    const sum = (type: TransferType): bigint => rows.find((row) => row.type === type)?.total ?? 0n
    return {
      credited: usdt(sum('deposit')),
      debited: usdt(sum('capture')),
      adjusted: usdt(sum('adjustment_in') - sum('adjustment_out')),
      held: usdt(sum('hold') - sum('capture') - sum('release')),
    }
  },
  adjust: (adjustment) =>
    database.transaction(async (query) => {
      const { tenantId, id, direction, amount, reason, actor } = adjustment
      const values = [tenantId, id, direction, amount.minor, reason, actor, database.now()]
      const [row] = await query<AdjustRow>(adjustWallet, values)
      if (row === undefined) throw new Error(`adjustment ${id} has no outcome`)
      if (row.verdict === 'committed')
        await insertAudit(query, auditAdjustment(adjustment, row.moved_at))
      return row.verdict
    }),
})
