import { bob, usdt } from '@quipu/core'
import { type LiquidityRecord, movementLines, type ReportStore } from '@quipu/core/operator'
import { paymentsOf } from '../reconciliation/compared-records.ts'
import type { Database } from '../table/database.ts'

const hourMs = 3_600_000
const hourOf = ({ at }: Pick<LiquidityRecord, 'at'>): number => Math.floor(at.getTime() / hourMs)

/** The sums of trial balance and exposure, and the readings of liquidity, in memory. */
export const memoryBooks = (
  database: Database,
): Pick<ReportStore, 'books' | 'position' | 'recordLiquidity' | 'liquidity'> => {
  return {
    books: async (before) => {
      const isIn = (at: Date | null | undefined): boolean =>
        at !== null && at !== undefined && (before === null || at < before)
      const wallets = Array.from(database.tenants.values(), ({ wallet }) => wallet)
      const moved = wallets.flatMap(({ transactions }) => transactions.filter(({ createdAt }) => isIn(createdAt)))
      const sumOf = (wanted: string, direction: 'in' | 'out'): bigint =>
        sum(moved.filter((row) => row.type === wanted && row.direction === direction).map(({ amount }) => amount.minor))
      const paid = paymentsOf(database).filter(({ status, endedAt }) => status === 'completed' && isIn(endedAt))
      const refunded = new Set(
        moved.flatMap(({ type, payoutId }) => (type === 'adjustment' && payoutId ? [payoutId] : [])),
      )
      const repaid = paymentsOf(database).filter(({ payoutId }) => refunded.has(payoutId))
      const solid = Array.from(database.deposits.values()).filter(
        ({ solid, solidAt }) => solid?.type === 'confirmed' && isIn(solidAt),
      )
      const swept = Array.from(database.sweeps.transfers.values()).filter(
        ({ transfer: { status, endedAt } }) => status === 'solid' && isIn(endedAt),
      )
      const open = Array.from(database.differences.byId.values()).filter(
        ({ check, status }) => check === 'chain' && status === 'open',
      )
      return {
        stored: {
          available: usdt(sum(wallets.map(({ balance }) => balance.available.minor))),
          held: usdt(sum(wallets.map(({ balance }) => balance.held.minor))),
        },
        deposited: usdt(sumOf('deposit', 'in')),
        captured: usdt(sumOf('payout', 'out')),
        adjusted: usdt(sumOf('adjustment', 'in') - sumOf('adjustment', 'out')),
        received: usdt(sum(solid.map(({ deposit }) => deposit.amount.minor))),
        returned: usdt(sum(database.depositReturns.filter(({ at }) => isIn(at)).map(({ amount }) => amount.minor))),
        swept: usdt(sum(swept.map(({ transfer }) => transfer.amount.minor))),
        chainDifference: usdt(sum(open.map(({ found, expected }) => (found?.minor ?? 0n) - (expected?.minor ?? 0n)))),
        paid: bob(sum(paid.map(({ target, settledPaid }) => (settledPaid ?? target).minor))),
        repaid: bob(sum(repaid.map(({ target }) => target.minor))),
        moved: database.movements.filter(({ at }) => isIn(at)).flatMap(movementLines),
      }
    },
    position: async () => {
      const credited = Array.from(database.deposits.values()).filter(({ deposit: { status } }) => status === 'credited')
      const owed = Array.from(database.tenants.values()).map(
        ({ wallet: { balance } }) => balance.available.minor + balance.held.minor,
      )
      const lines = database.movements.flatMap(movementLines).filter(({ account }) => account === 'treasury')
      const sums = [credited.map(({ deposit }) => deposit.amount.minor), lines.map(({ amount }) => amount.minor)]
      return usdt(sum(sums.flat()) - sum(owed))
    },
    recordLiquidity: async (reading) => {
      const kept = database.liquidity.get(hourOf(reading))
      if (kept === undefined || kept.at < reading.at) database.liquidity.set(hourOf(reading), reading)
    },
    liquidity: async (since) => {
      const kept = Array.from(database.liquidity.values()).toSorted((a, b) => a.at.getTime() - b.at.getTime())
      const newest = kept.at(-1)
      const from = Math.min(hourOf({ at: since }), newest ? hourOf(newest) : 0)
      return kept.filter((reading) => hourOf(reading) >= from)
    },
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
