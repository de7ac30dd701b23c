import {
  add,
  auditAdjustment,
  post,
  subtract,
  type Totals,
  type Transfer,
  usdt,
  type Wallet,
  type WalletStore,
} from '@quipu/core'
import { type Database, type Room, roomOf } from './database.ts'

export const memoryWalletStore = (database: Database): WalletStore => ({
  find: async (tenantId) => {
    const room = database.rooms.get(tenantId)
    return room && viewWallet(room)
  },
  totals: async (tenantId) =>
    (database.rooms.get(tenantId)?.wallet.transfers ?? []).reduce(tally, noTotals),
  adjust: async (adjustment) => {
    const { wallet } = roomOf(database, adjustment.tenantId)
    if (wallet.adjustmentIds.has(adjustment.id)) return 'stale'
    const { direction, amount } = adjustment
    const transfer = { type: `adjustment_${direction}`, amount } as const
    const balance = post(wallet.balance, transfer)
    if (balance === undefined) return 'insufficient_balance'
    const now = database.now()
    wallet.balance = balance
    wallet.updatedAt = now
    wallet.transfers.push(transfer)
    wallet.adjustmentIds.add(adjustment.id)
    database.audit.push(auditAdjustment(adjustment, now))
    return 'committed'
  },
})

function viewWallet({ tenant, wallet }: Room): Wallet {
  const { id, createdAt, updatedAt, balance } = wallet
  return { id, tenantId: tenant.id, createdAt, updatedAt, ...balance }
}

const noTotals: Totals = {
  credited: usdt(0n),
  debited: usdt(0n),
  adjusted: usdt(0n),
  held: usdt(0n),
}

function tally(totals: Totals, { type, amount }: Transfer): Totals {
  const { credited, debited, adjusted, held } = totals
  switch (type) {
    case 'deposit':
      return { ...totals, credited: add(credited, amount) }
    case 'hold':
      return { ...totals, held: add(held, amount) }
    case 'release':
      return { ...totals, held: subtract(held, amount) }
    case 'capture':
      return { ...totals, held: subtract(held, amount), debited: add(debited, amount) }
    case 'adjustment_in':
      return { ...totals, adjusted: add(adjusted, amount) }
    case 'adjustment_out':
      return { ...totals, adjusted: subtract(adjusted, amount) }
  }
}
