import { usdt, type WalletTransaction } from '@quipu/core'
import { walletTransactionSeq } from '@quipu/core/adapter'
import type { StatementPayment, StatementStore } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

/** A transaction's `seq` is its place in the wallet's list, from 1. */
export const memoryStatementStore = (database: Database): StatementStore => {
  const rowsOf = (tenantId: string) => database.tenants.get(tenantId)?.wallet.transactions ?? []
  return {
    balancesBefore: async (tenantId, instants) =>
      instants.map((at) => rowsOf(tenantId).findLast(({ createdAt }) => createdAt < at)?.balanceAfter ?? usdt(0n)),
    transactions: async (tenantId, { from, to, after, limit }) => {
      const seq = after === undefined ? 0n : walletTransactionSeq(after.id)
      const rows = rowsOf(tenantId).slice(Number(seq ?? 0n))
      const found = rows.filter(({ createdAt }) => createdAt >= from && createdAt < to)
      const items = found.slice(0, limit).map((row) => ({ ...row, payment: paymentOf(database, tenantId, row) }))
      const last = items.at(-1)
      const isMore = last !== undefined && items.length === limit
      return { items, next: isMore ? { createdAt: last.createdAt, id: last.id } : null }
    },
  }
}

function paymentOf(
  database: Database,
  tenantId: string,
  { type, payoutId }: WalletTransaction,
): StatementPayment | null {
  if (type !== 'payout' || payoutId === null) return null
  const payout = database.tenants.get(tenantId)?.payouts.get(payoutId)?.payout
  if (payout?.status !== 'completed') throw new Error(`the debit of ${payoutId} has no completed payout`)
  const { target, qr, quote, networkPaymentId } = payout
  return { target, rate: quote.rate, fee: quote.fee, merchant: qr && qr.merchant, networkPaymentId }
}
