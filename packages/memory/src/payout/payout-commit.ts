import { type Payout, Unavailable } from '@quipu/core'
import { type EndedPayout, type PayoutCommit, type PayoutCommitResult, type Redated } from '@quipu/core/adapter'
import { dailyUseAt, giveBackUse, isWithinDailyLimits, useDailyLimits } from '@quipu/core/operator'
import { type Database, positionOf, type TenantData, tenantDataOf, secondsAfter } from '../table/database.ts'
import { requireOpenGate } from '../restore/restore-store.ts'
import { storeEvent } from '../event/event-store.ts'
import { log, move } from '../ledger/wallet-transfers.ts'
import { mayAct } from '../access/may-act.ts'

type Refusal = Exclude<PayoutCommitResult, 'committed' | 'stale' | 'not_allowed'>
type Accepted = Extract<PayoutCommit, { kind: 'accept' }>

/** Checks the whole write before it changes anything, so a refused write changes nothing. */
export function commitPayout(database: Database, commit: PayoutCommit): PayoutCommitResult | Redated {
  const tenantData = tenantDataOf(database, commit.step.payout.tenantId)
  if (commit.kind !== 'settle' && commit.deadline && commit.deadline.leftMs() <= 0)
    throw new Unavailable('store', 'the deadline passed before the write')
  if (commit.kind !== 'settle') requireOpenGate(database)
  if (isStale(database, tenantData, commit)) return 'stale'
  const { tenantId } = commit.step.payout
  if (commit.kind !== 'settle' && !mayAct(database, tenantId, commit.step.payout.keyId)) return 'not_allowed'
  return commit.kind === 'accept' ? accept(database, tenantData, commit) : end(database, tenantData, commit)
}

function accept(database: Database, tenantData: TenantData, commit: Accepted): 'committed' | Refusal {
  const { id, quoteId, quote: price } = commit.step.payout
  const { tenant, wallet } = tenantData
  const at = database.now()
  const quote = tenantData.quotes.get(quoteId)
  if (quote === undefined) throw new Error(`no quote ${quoteId}`)
  if (quote.payoutId !== null) return 'quote_used'
  if (quote.quote.expiresAt <= at) return 'quote_expired'
  if (quote.quote.target.minor > tenant.pricing.paymentCap.minor) return 'above_cap'
  if (!isWithinDailyLimits(tenant.dailyLimits, dailyUseAt(wallet.dailyUse, at), price.source))
    return 'daily_limit_exceeded'
  if (!moveWithinBalance(tenantData, commit, at)) return 'insufficient_balance'
  wallet.dailyUse = useDailyLimits(wallet.dailyUse, price.source, at)
  quote.payoutId = id
  writeAccepted(database, tenantData, commit)
  return 'committed'
}

function end(
  database: Database,
  tenantData: TenantData,
  commit: Exclude<PayoutCommit, Accepted>,
): 'committed' | Redated {
  const { payout, event } = commit.step
  const loggedAt = log(tenantData.wallet, payout.endedAt)
  const isRedated = loggedAt > payout.endedAt
  if (!moveWithinBalance(tenantData, commit, loggedAt))
    throw new Error(`payout ${payout.id} would take more than its hold`)
  giveBack(database, tenantData, commit)
  if (event !== null) storeEvent(database, tenantData, event.recordedOn(loggedAt))
  writeEnded(database, tenantData, commit, loggedAt)
  return isRedated ? { redatedTo: loggedAt } : 'committed'
}

function giveBack(database: Database, { wallet }: TenantData, { step }: PayoutCommit): void {
  const lease = database.leases.get(step.payout.id)
  if (step.transfer?.type === 'release' && lease !== undefined)
    wallet.dailyUse = giveBackUse(wallet.dailyUse, step.transfer.amount, lease.openedAt)
}

/** False, and nothing moves, when the wallet does not have the amount. */
function moveWithinBalance(tenantData: TenantData, { step }: PayoutCommit, at: Date): boolean {
  const { id: payoutId, transactionId } = step.payout
  return step.transfer === null || move(tenantData, step.transfer, { payoutId, transactionId }, at)
}

function isStale(database: Database, tenantData: TenantData, commit: PayoutCommit): boolean {
  if (commit.kind !== 'settle') return tenantData.transactions.has(commit.step.payout.transactionId)
  const { payoutId, tenantId, fencingToken } = commit.claim
  const lease = database.leases.get(payoutId)
  return lease?.tenantId !== tenantId || lease.fencingToken !== fencingToken
}

function writeAccepted(database: Database, tenantData: TenantData, commit: Accepted): void {
  const { payout } = commit.step
  insertPayout(tenantData, payout, commit.fingerprint)
  const openedAt = database.now()
  const dueAt = secondsAfter(openedAt, commit.leaseSeconds)
  const { tenantId } = payout
  database.leases.set(payout.id, {
    tenantId,
    openedAt,
    fencingToken: 1,
    claimCount: 0,
    leased: true,
    hinted: false,
    dueAt,
    unanswered: 0,
    catchUpFrom: null,
    catchUps: 0,
    raised: {},
    isOrdered: commit.marksOrder ? false : null,
    givenRef: null,
  })
}

function writeEnded(
  database: Database,
  tenantData: TenantData,
  commit: Exclude<PayoutCommit, Accepted>,
  endedAt: Date,
): void {
  const ref = commit.kind === 'settle' && commit.networkRef !== undefined ? { networkRef: commit.networkRef } : {}
  const payout = { ...commit.step.payout, ...ref, endedAt } as EndedPayout
  if (commit.kind === 'insert_ended') {
    insertPayout(tenantData, payout, commit.fingerprint)
    return
  }
  const row = tenantData.payouts.get(payout.id)
  if (row === undefined) throw new Error(`no payout ${payout.id}`)
  row.payout = payout
  database.leases.delete(payout.id)
}

function insertPayout(tenantData: TenantData, payout: Payout, fingerprint: string): void {
  tenantData.payouts.set(payout.id, { payout, fingerprint })
  tenantData.transactions.set(payout.transactionId, payout.id)
  tenantData.payoutOrder.add(positionOf(payout))
}
