import { type Deposit, usdt } from '@quipu/core'
import {
  type UnverifiedLimits,
  depositAsCommitted,
  depositEndedAt,
  dustMax,
  dustReason,
  isUndecided,
  screeningCodeOf,
  type ClaimedDeposit,
  type DepositCommit,
  type AllDepositsQuery,
  type DepositStore,
  type ReviewClosures,
} from '@quipu/core/adapter'
import { type ApprovedProposal, auditClose, auditCredit, type AuditOrigin, storedAction } from '@quipu/core/operator'
import { type Database, type DepositRow, tenantDataOf, secondsAfter } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { pendingRows } from './observed-transfers.ts'
import { storeEvent } from '../event/event-store.ts'
import { log, move } from '../ledger/wallet-transfers.ts'
import { approvedProposal, markExecuted, proposingOrigin } from '../proposal/approved-proposal.ts'
import type { UnverifiedCredit } from '../table/unverified-credit.ts'

export function memoryDepositStore(database: Database): DepositStore {
  return {
    get: async (tenantId, id) => rowOf(database, tenantId, id)?.deposit,
    find: async (id) => database.deposits.get(id)?.deposit,
    list: async (tenantId, query) => {
      const tenantData = database.tenants.get(tenantId)
      if (tenantData === undefined) return { items: [], next: null }
      return tenantData.depositOrder.page(query, filtered(database, query))
    },
    listAll: async (query) => database.depositOrder.page(query, filtered(database, query)),
    claimDue: async (limit, leaseSeconds) => {
      const now = database.now()
      return pendingRows(database)
        .flatMap((row) => (row.dueAt !== null && row.dueAt <= now ? [{ row, dueAt: row.dueAt }] : []))
        .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
        .slice(0, limit)
        .map(({ row }) => claim(database, row, leaseSeconds))
    },
    yieldClaim: async (claim, dueInSeconds, problem) => {
      const row = rowOf(database, claim.tenantId, claim.depositId)
      if (!row?.dueAt || row.fencingToken !== claim.fencingToken) return false
      row.dueAt = secondsAfter(database.now(), dueInSeconds)
      row.problem = problem
      return true
    },
    attempts: async (id) => {
      const row = database.deposits.get(id)
      if (!row?.dueAt) return undefined
      return { claimCount: row.claimCount, problem: row.problem, nextAt: row.dueAt }
    },
    screening: async (id) => database.deposits.get(id)?.screenedBy ?? null,
    screenAgain: async ({ id, tenantId }, by) => {
      const acting = actingToken(database, by, by.at, writers)
      if (!acting) return 'unauthorized'
      const row = rowOf(database, tenantId, id)
      const isWaiting = row?.deposit.status === 'in_review' && row.deposit.reviewCode === 'SENDER_NOT_SCREENED'
      if (!row || !isWaiting || row.dueAt === null) return 'stale'
      if (row.dueAt > database.now()) row.dueAt = database.now()
      const about = { tenantId, subject: id, before: null, after: null }
      writeAudit(database, { ...acting.author, action: 'deposit.screen', ...about })
      return 'committed'
    },
    commit: async (write) => commitDeposit(database, write),
    closeReviews: async (write) => commitClosures(database, write),
  }
}

const filtered =
  ({ deposits }: Database, query: AllDepositsQuery) =>
  (id: string): Deposit | undefined => {
    const deposit = deposits.get(id)?.deposit
    if (deposit === undefined) return undefined
    const review = deposit.status === 'in_review' ? deposit : null
    const members: readonly (readonly [wanted: unknown, is: unknown])[] = [
      [query.status, deposit.status],
      [query.tenantId, deposit.tenantId],
      [query.reviewCode, review?.reviewCode],
      [query.txHash, deposit.txHash],
      [query.address, deposit.address],
    ]
    const isWanted = members.every(([wanted, is]) => wanted === undefined || wanted === is)
    const isLeftOut = query.open === true && review !== null && review.closed !== null
    return isWanted && !isLeftOut ? deposit : undefined
  }

function claim(database: Database, row: DepositRow, leaseSeconds: number): ClaimedDeposit {
  const { deposit, sender, solid } = row
  const tenantData = tenantDataOf(database, deposit.tenantId)
  const topUp = Array.from(tenantData.addresses.values()).find(
    ({ chain, address }) => chain === deposit.chain && address === deposit.address,
  )
  if (!isUndecided(deposit) || solid === null || topUp === undefined)
    throw new Error(`deposit ${deposit.id} is due, but lacks a solid block or an address`)
  row.fencingToken++
  row.claimCount++
  row.dueAt = secondsAfter(database.now(), leaseSeconds)
  const { fencingToken, claimCount } = row
  const claim = { tenantId: deposit.tenantId, depositId: deposit.id, fencingToken }
  return { claim, deposit, sender, solid, topUp, tenantStatus: tenantData.tenant.status, claimCount }
}

function rowOf({ deposits }: Database, tenantId: string, id: string): DepositRow | undefined {
  const row = deposits.get(id)
  return row?.deposit.tenantId === tenantId ? row : undefined
}

function commitDeposit(database: Database, write: DepositCommit): Awaited<ReturnType<DepositStore['commit']>> {
  const { deposit } = write.step
  const row = rowOf(database, deposit.tenantId, deposit.id)
  if (row === undefined || isStale(row, write)) return 'stale'
  if (write.kind === 'settle') requireDust(deposit)
  const proposal = write.kind === 'settle' ? undefined : proposalOf(database, row.deposit, write)
  if (write.kind !== 'settle' && proposal === undefined) return 'not_approved'
  const returned = write.kind === 'close' ? write.returned : undefined
  if (database.depositReturns.some(({ txHash }) => txHash === returned?.txHash)) return 'transaction_used'
  if (returned && row.solid?.type !== 'confirmed') throw new Error(`deposit ${deposit.id} has no tokens to return`)
  if (returned) {
    const { address, amount } = deposit
    database.depositReturns.push({ address, amount, txHash: returned.txHash, at: database.now() })
  }
  const unverified = unverifiedCredit(write, database.now())
  if (unverified !== undefined && exceeds(database.unverifiedCredits, unverified)) return 'above_unverified_limit'
  if (unverified !== undefined) database.unverifiedCredits.push(unverified)
  const tenantData = tenantDataOf(database, deposit.tenantId)
  const loggedAt = log(tenantData.wallet, write.step.event.recordedAt)
  storeEvent(database, tenantData, write.step.event.recordedOn(loggedAt))
  const endedAt = depositEndedAt(deposit)
  const isRedated = endedAt !== null && loggedAt > endedAt
  const committed = isRedated ? { redatedTo: loggedAt } : 'committed'
  if (write.kind === 'credit' && row.deposit.status === 'in_review')
    writeAudit(database, auditCredit(row.deposit, write, loggedAt, originOf(database, write)))
  if (write.kind === 'close') {
    const closed = depositAsCommitted(write.step.deposit, committed)
    writeAudit(database, auditClose(closed, write, originOf(database, write)))
  }
  if (proposal !== undefined) markExecuted(database, proposal, loggedAt)
  row.deposit = depositAsCommitted(deposit, committed)
  if (write.kind === 'settle') row.screenedBy = write.screenedBy ?? row.screenedBy
  const isStillDue = isUndecided(row.deposit)
  row.dueAt = isStillDue ? secondsAfter(database.now(), unverifiedDueSeconds) : null
  row.problem = null
  if (!isStillDue) database.pendingDeposits.delete(deposit.id)
  const { transfer } = write.step
  if (transfer !== null && !move(tenantData, transfer, { depositId: deposit.id }, loggedAt))
    throw new Error(`deposit ${deposit.id} would take money out of the wallet`)
  return committed
}

function commitClosures(database: Database, write: ReviewClosures): 'committed' | 'stale' | 'not_approved' {
  const { tenantId, steps, ...author } = write
  const depositIds = steps.map(({ deposit }) => deposit.id)
  const rows = Array.from(new Set(depositIds), (id) => rowOf(database, tenantId, id))
  const open = rows.filter((row) => row !== undefined).filter(isOpen)
  if (open.length === 0 || open.length !== steps.length) return 'stale'
  const amount = usdt(open.reduce((sum, { deposit }) => sum + deposit.amount.minor, 0n))
  const action = storedAction({ type: 'close_deposits', tenantId, depositIds, amount })
  const proposal = approvedProposal(database, { ...action, tenantId, ...author })
  if (proposal === undefined) return 'not_approved'
  const tenantData = tenantDataOf(database, tenantId)
  let loggedAt = database.now()
  for (const [index, { deposit, event }] of steps.entries()) {
    loggedAt = log(tenantData.wallet, event.recordedAt)
    storeEvent(database, tenantData, event.recordedOn(loggedAt))
    const closed = { ...deposit, closed: { ...deposit.closed, at: loggedAt } }
    writeAudit(database, auditClose(closed, write, originOf(database, write)))
    Object.assign(open[index] ?? {}, { deposit: closed, dueAt: null, problem: null })
    database.pendingDeposits.delete(deposit.id)
  }
  markExecuted(database, proposal, loggedAt)
  return 'committed'
}

/** When a deposit is due again whose review ends by itself. */
const unverifiedDueSeconds = 300

/** Who proposed the resolution. */
const originOf = (database: Database, { proposalId }: { readonly proposalId: string }): AuditOrigin =>
  proposingOrigin(database, proposalId)

/** The approved proposal that the resolution executes. */
function proposalOf(
  database: Database,
  deposit: Deposit,
  write: Exclude<DepositCommit, { kind: 'settle' }>,
): ApprovedProposal | undefined {
  const { id: depositId, tenantId, amount } = deposit
  const reviewCode = screeningCodeOf(deposit)
  const returned = write.kind === 'close' ? write.returned : undefined
  const action = storedAction(
    returned
      ? { type: 'return_deposit', depositId, amount, ...returned }
      : write.kind === 'credit'
        ? { type: 'credit_deposit', depositId, amount, ...(reviewCode !== undefined && { reviewCode }) }
        : { type: 'close_deposit', depositId, amount },
  )
  const { proposalId, actor, reason } = write
  return approvedProposal(database, { ...action, proposalId, tenantId, actor, reason })
}

function isStale({ deposit, fencingToken }: DepositRow, write: DepositCommit): boolean {
  if (write.kind === 'settle') return !isUndecided(deposit) || fencingToken !== write.claim.fencingToken
  return !isOpen({ deposit })
}

const isOpen = ({ deposit }: Pick<DepositRow, 'deposit'>): boolean =>
  deposit.status === 'in_review' && deposit.closed === null

/** A settlement closes reviews of small amounts only; all others are a person's decision. */
function requireDust(deposit: Deposit): void {
  const closed = deposit.status === 'in_review' ? deposit.closed : null
  if (closed === null) return
  if (closed.actor === null && closed.reason === dustReason && deposit.amount.minor < dustMax.minor) return
  throw new Error(`deposit ${deposit.id} is no dust, and only an operator closes its review`)
}

const dayMs = 86_400_000

type Limited = UnverifiedCredit & { readonly limits: UnverifiedLimits }

/** The credit, if only one provider has confirmed it. */
function unverifiedCredit(write: DepositCommit, at: Date): Limited | undefined {
  if (write.kind !== 'settle' || write.unverifiedLimits === undefined) return undefined
  const { tenantId, status, amount } = write.step.deposit
  if (status !== 'credited') return undefined
  return { tenantId, minor: amount.minor, at, limits: write.unverifiedLimits }
}

function exceeds(credits: readonly UnverifiedCredit[], credit: Limited): boolean {
  const since = credit.at.getTime() - dayMs
  const ofDay = [...credits.filter(({ at }) => at.getTime() > since), credit]
  const ofTenant = ofDay.filter(({ tenantId }) => tenantId === credit.tenantId)
  const sum = (of: readonly UnverifiedCredit[]): bigint => of.reduce((n, { minor }) => n + minor, 0n)
  const { perTenant, inAll } = credit.limits
  return sum(ofTenant) > perTenant.minor || sum(ofDay) > inAll.minor
}
