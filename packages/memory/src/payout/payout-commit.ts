import {
  type Balance,
  type PayoutCommit,
  type PayoutCommitResult,
  type Effect,
  type Payout,
  postTransfer,
  type Redated,
  redateEvent,
  type Transfer,
  Unavailable,
} from '@quipu/core'
import {
  type Database,
  positionOf,
  type QuoteRow,
  type TenantData,
  tenantDataOf,
  secondsAfter,
} from '../database.ts'
import { storeEvent } from '../event/event-store.ts'
import { log, move } from '../ledger/wallet-transfers.ts'

type Refusal = Exclude<PayoutCommitResult, 'committed'>

/** The result of a step's effects, checked and not yet written. */
type Plan = {
  readonly balance: Balance
  readonly transfers: readonly Transfer[]
  readonly quotes: readonly QuoteRow[]
}

/** Checks the whole write before it changes anything, so a refused write changes nothing. */
export function commitPayout(
  database: Database,
  commit: PayoutCommit,
): PayoutCommitResult | Redated {
  const tenantData = tenantDataOf(database, commit.step.payout.tenantId)
  if (commit.kind !== 'settle' && commit.deadline && commit.deadline.leftMs() <= 0)
    throw new Unavailable('store', 'the deadline passed before the write')
  if (isStale(database, tenantData, commit)) return 'stale'
  assertEventFits(commit)
  let plan: Plan = { balance: tenantData.wallet.balance, transfers: [], quotes: [] }
  for (const effect of commit.step.effects) {
    const next = add(plan, effect, tenantData, database.now())
    if (typeof next === 'string') return next
    plan = next
  }
  if (commit.kind === 'apply') {
    writeEffects(tenantData, plan, commit, database.now())
    writeApplied(database, tenantData, commit)
    return 'committed'
  }
  const { endedAt } = commit.step.payout
  const loggedAt = log(tenantData.wallet, endedAt)
  const isRedated = loggedAt > endedAt
  writeEffects(tenantData, plan, commit, loggedAt)
  if (commit.event !== null)
    storeEvent(database, tenantData, isRedated ? redateEvent(commit.event, loggedAt) : commit.event)
  writeEnded(database, tenantData, commit, loggedAt)
  return isRedated ? { redatedTo: loggedAt } : 'committed'
}

function isStale(database: Database, tenantData: TenantData, commit: PayoutCommit): boolean {
  if (commit.kind !== 'settle') return tenantData.transactions.has(commit.step.payout.transactionId)
  const { payoutId, tenantId, fencingToken } = commit.claim
  const lease = database.leases.get(payoutId)
  return lease?.tenantId !== tenantId || lease.fencingToken !== fencingToken
}

function assertEventFits(commit: PayoutCommit): void {
  const event = commit.kind === 'apply' ? null : commit.event
  const publishes = commit.step.effects.some((effect) => effect.type === 'publish')
  if (publishes !== (event !== null))
    throw new Error(`payout ${commit.step.payout.id}: the step and its event disagree`)
}

function add(plan: Plan, effect: Effect, tenantData: TenantData, now: Date): Plan | Refusal {
  switch (effect.type) {
    case 'use_quote': {
      const row = tenantData.quotes.get(effect.quoteId)
      if (row === undefined) throw new Error(`no quote ${effect.quoteId}`)
      if (row.payoutId !== null) return 'quote_used'
      if (row.quote.expiresAt <= now) return 'quote_expired'
      return { ...plan, quotes: [...plan.quotes, row] }
    }
    case 'transfer': {
      const balance = postTransfer(plan.balance, effect.transfer)
      if (balance === undefined) return 'insufficient_balance'
      return { ...plan, balance, transfers: [...plan.transfers, effect.transfer] }
    }
    case 'publish':
      return plan
  }
}

function writeEffects(tenantData: TenantData, plan: Plan, { step }: PayoutCommit, at: Date): void {
  const { id, transactionId } = step.payout
  for (const row of plan.quotes) row.payoutId = id
  for (const transfer of plan.transfers)
    move(tenantData, transfer, { payoutId: id, transactionId }, at)
}

type Applied = Extract<PayoutCommit, { kind: 'apply' }>

function writeApplied(database: Database, tenantData: TenantData, commit: Applied): void {
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
    woken: false,
    dueAt,
    unansweredCount: 0,
    catchUpFrom: null,
    catchUps: 0,
    raised: {},
  })
}

function writeEnded(
  database: Database,
  tenantData: TenantData,
  commit: Exclude<PayoutCommit, Applied>,
  endedAt: Date,
): void {
  const payout = { ...commit.step.payout, endedAt }
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
