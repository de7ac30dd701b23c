import { addMoney, type Page, subtractMoney, usdt, type Wallet, type WalletTransaction } from '@quipu/core'
import {
  type BalanceEventOf,
  isBalanceLow,
  isoText,
  postTransfer,
  type WalletBalance,
  type WalletTotals,
  type Transfer,
  type WalletStore,
  type WalletTransactionQuery,
  uuidAt,
  walletTransactionSeq,
} from '@quipu/core/adapter'
import { type Adjustment, auditAdjustment, dailyUseAt, storedAction } from '@quipu/core/operator'
import { type Database, type TenantData, tenantDataOf } from '../table/database.ts'
import { approvedProposal, type ClaimedAction, markExecuted, proposingOrigin } from '../proposal/approved-proposal.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { storeEvent } from '../event/event-store.ts'
import { log, move } from './wallet-transfers.ts'

export const memoryWalletStore = (database: Database): WalletStore => ({
  find: async (tenantId) => {
    const tenantData = database.tenants.get(tenantId)
    return tenantData && viewWallet(database, tenantData)
  },
  totals: async (tenantId) => sumUp(database.tenants.get(tenantId)),
  books: async (tenantId) => {
    const tenantData = database.tenants.get(tenantId)
    return tenantData && { wallet: viewWallet(database, tenantData), totals: sumUp(tenantData) }
  },
  transactions: async (tenantId, query) => pageOf(database.tenants.get(tenantId)?.wallet.transactions ?? [], query),
  adjust: async (adjustment) => {
    const tenantData = tenantDataOf(database, adjustment.tenantId)
    const { adjustmentIds } = tenantData.wallet
    if (adjustmentIds.has(adjustment.id)) return 'stale'
    const proposal = approvedProposal(database, claimedBy(adjustment))
    if (proposal === undefined) return 'not_approved'
    const { direction, amount, payoutId } = adjustment
    const refusal = payoutId === undefined ? null : refundRefusal(tenantData, adjustment)
    if (refusal !== null) return refusal
    // Balances change together with their postings, so no wallet has a difference.
    if (adjustment.differenceId !== undefined) return 'difference_not_open'
    const transfer = { type: `adjustment_${direction}`, amount } as const
    if (postTransfer(tenantData.wallet.balance, transfer) === undefined) return 'insufficient_balance'
    const at = log(tenantData.wallet, database.now())
    const payout = payoutId === undefined ? undefined : tenantData.payouts.get(payoutId)?.payout
    const cause = payout && { payoutId: payout.id, transactionId: payout.transactionId }
    move(tenantData, transfer, cause ?? {}, at)
    if (payout !== undefined) storeRefund(database, tenantData, payout.id, at)
    adjustmentIds.add(adjustment.id)
    markExecuted(database, proposal, at)
    writeAudit(database, auditAdjustment(adjustment, at, proposingOrigin(database, proposal.id)))
    return 'committed'
  },
  setLowBalanceThreshold: async (tenantId, threshold, eventOf) => {
    const tenantData = tenantDataOf(database, tenantId)
    tenantData.wallet.lowBalanceThreshold = threshold
    recordCrossing(database, tenantData, eventOf)
  },
  recordCrossings: async (limit, eventOf) => {
    let count = 0
    for (const tenantData of database.tenants.values()) {
      if (count === limit) break
      if (recordCrossing(database, tenantData, eventOf)) count++
    }
    return count
  },
})

/** Whether an adjustment has refunded the payout. */
export const isRefunded = ({ wallet }: TenantData, payoutId: string): boolean =>
  wallet.transactions.some((row) => row.type === 'adjustment' && row.payoutId === payoutId)

/** Why a payout is not refunded; null when it can be. */
function refundRefusal(
  tenantData: TenantData,
  { payoutId = '', direction, amount, differenceId }: Adjustment,
): 'already_refunded' | 'not_refundable' | null {
  if (isRefunded(tenantData, payoutId)) return 'already_refunded'
  const payout = tenantData.payouts.get(payoutId)?.payout
  const isPaid = payout?.status === 'completed' && amount.minor <= payout.quote.source.minor
  return isPaid && direction === 'in' && differenceId === undefined ? null : 'not_refundable'
}

/** Stores the event of a refund: the payout stays as its `payout.completed` has it. */
function storeRefund(database: Database, tenantData: TenantData, payoutId: string, at: Date): void {
  const completed = Array.from(tenantData.events.values()).find(
    ({ type, subjectId }) => type === 'payout.completed' && subjectId === payoutId,
  )
  if (completed === undefined) throw new Error(`payout ${payoutId} has no event`)
  const type = 'payout.refunded'
  const lastDigit = completed.id.endsWith('0') ? '1' : '0'
  const id = uuidAt(`${completed.id.slice(0, -1)}${lastDigit}`, at)
  const instants = { occurred_at: isoText(at), recorded_at: isoText(at) }
  const envelope = JSON.stringify({ id, type, event_version: 1, ...instants })
  const text = new TextDecoder().decode(completed.body)
  const data = text.slice(text.indexOf(',"data":'))
  const body = new TextEncoder().encode(`${envelope.slice(0, -1)}${data}`)
  const event = { ...completed, id, type, occurredAt: at, recordedAt: at, body } as const
  storeEvent(database, tenantData, event)
}

function claimedBy({ id, actor, reason, ...adjustment }: Adjustment): ClaimedAction {
  const action = storedAction({ type: 'adjust_wallet', ...adjustment })
  return { ...action, proposalId: id, tenantId: adjustment.tenantId, actor, reason }
}

/** Rows keep their index, so a page continues at the row before the last one seen. */
function pageOf(
  rows: readonly WalletTransaction[],
  { limit, after, direction, type, from, to }: WalletTransactionQuery,
): Page<WalletTransaction> {
  const seq = after && walletTransactionSeq(after.id)
  const found = (seq === undefined ? rows : rows.slice(0, Number(seq) - 1)).filter(
    (row) =>
      (direction === undefined || row.direction === direction) &&
      (type === undefined || row.type === type) &&
      (from === undefined || row.createdAt >= from) &&
      (to === undefined || row.createdAt <= to),
  )
  const items = found.slice(-limit).toReversed()
  const last = items.at(-1)
  if (last === undefined || found.length === items.length) return { items, next: null }
  return { items, next: { createdAt: last.createdAt, id: last.id } }
}

function viewWallet({ now }: Database, { tenant, wallet }: TenantData): Wallet {
  const { createdAt, updatedAt } = wallet
  const usedToday = dailyUseAt(wallet.dailyUse, now())
  return { ...balanceOf({ tenant, wallet }), usedToday, createdAt, updatedAt }
}

const balanceOf = ({ tenant, wallet }: Pick<TenantData, 'tenant' | 'wallet'>): WalletBalance => {
  const { id, lowBalanceThreshold, balance } = wallet
  return { id, tenantId: tenant.id, lowBalanceThreshold, ...balance }
}

/** Stores the event of a balance that has crossed its threshold. @returns whether it has */
function recordCrossing(database: Database, tenantData: TenantData, eventOf: BalanceEventOf): boolean {
  const { wallet } = tenantData
  const balance = balanceOf(tenantData)
  if (isBalanceLow(balance) === wallet.isLow) return false
  wallet.isLow = !wallet.isLow
  storeEvent(database, tenantData, eventOf(balance).recordedOn(log(wallet, database.now())))
  return true
}

const sumUp = (tenantData: TenantData | undefined): WalletTotals =>
  (tenantData?.wallet.transfers ?? []).reduce(addTransfer, noTotals)

const noTotals: WalletTotals = { credited: usdt(0n), debited: usdt(0n), adjusted: usdt(0n), held: usdt(0n) }

function addTransfer(totals: WalletTotals, { type, amount }: Transfer): WalletTotals {
  const { credited, debited, adjusted, held } = totals
  switch (type) {
    case 'deposit':
      return { ...totals, credited: addMoney(credited, amount) }
    case 'hold':
      return { ...totals, held: addMoney(held, amount) }
    case 'release':
      return { ...totals, held: subtractMoney(held, amount) }
    case 'capture':
      return { ...totals, held: subtractMoney(held, amount), debited: addMoney(debited, amount) }
    case 'adjustment_in':
      return { ...totals, adjusted: addMoney(adjusted, amount) }
    case 'adjustment_out':
      return { ...totals, adjusted: subtractMoney(adjusted, amount) }
  }
}
