import type { Deposit } from '@quipu/core'
import {
  type UnverifiedLimits,
  depositAsCommitted,
  type ClaimedDeposit,
  type DepositCommit,
  type AllDepositsQuery,
  type DepositStore,
  redateEvent,
} from '@quipu/core/adapter'
import { type ApprovedProposal, auditClose, auditCredit, storedAction } from '@quipu/core/operator'
import { type Database, type DepositRow, tenantDataOf, secondsAfter } from '../database.ts'
import { writeAudit } from '../tenant/audit-log.ts'
import { pendingRows } from './observed-transfers.ts'
import { storeEvent } from '../event/event-store.ts'
import { log, move } from '../ledger/wallet-transfers.ts'
import { approvedProposal, markExecuted } from '../proposal/proposal-store.ts'
import type { UnverifiedCredit } from './unverified-credit.ts'

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
        .flatMap((row) =>
          row.dueAt !== null && row.dueAt <= now ? [{ row, dueAt: row.dueAt }] : [],
        )
        .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
        .slice(0, limit)
        .map(({ row }) => claim(database, row, leaseSeconds))
    },
    yieldClaim: async (claim, dueInSeconds) => {
      const row = rowOf(database, claim.tenantId, claim.depositId)
      if (!row?.dueAt || row.fencingToken !== claim.fencingToken) return false
      row.dueAt = secondsAfter(database.now(), dueInSeconds)
      return true
    },
    commit: async (write) => commitDeposit(database, write),
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
  if (deposit.status !== 'pending' || solid === null || topUp === undefined)
    throw new Error(`deposit ${deposit.id} is due, but lacks a solid block or an address`)
  row.fencingToken++
  row.claimCount++
  row.dueAt = secondsAfter(database.now(), leaseSeconds)
  const { fencingToken, claimCount } = row
  const claim = { tenantId: deposit.tenantId, depositId: deposit.id, fencingToken }
  return {
    claim,
    deposit,
    sender,
    solid,
    topUp,
    tenantStatus: tenantData.tenant.status,
    claimCount,
  }
}

function rowOf({ deposits }: Database, tenantId: string, id: string): DepositRow | undefined {
  const row = deposits.get(id)
  return row?.deposit.tenantId === tenantId ? row : undefined
}

function commitDeposit(
  database: Database,
  write: DepositCommit,
): Awaited<ReturnType<DepositStore['commit']>> {
  const { deposit } = write.step
  const row = rowOf(database, deposit.tenantId, deposit.id)
  if (row === undefined || isStale(row, write)) return 'stale'
  const proposal = write.kind === 'settle' ? undefined : proposalOf(database, row.deposit, write)
  if (write.kind !== 'settle' && proposal === undefined) return 'not_approved'
  const unverified = unverifiedCredit(write, database.now())
  if (unverified !== undefined && exceeds(database.unverifiedCredits, unverified))
    return 'above_unverified_limit'
  if (unverified !== undefined) database.unverifiedCredits.push(unverified)
  if (write.kind === 'close') {
    writeAudit(database, auditClose(write.step.deposit, write.proposalId))
    row.deposit = write.step.deposit
    if (proposal !== undefined) markExecuted(database, proposal, write.step.deposit.closed.at)
    return 'committed'
  }
  const tenantData = tenantDataOf(database, deposit.tenantId)
  const loggedAt = log(tenantData.wallet, write.step.event.recordedAt)
  if (write.kind === 'credit' && row.deposit.status === 'in_review')
    writeAudit(database, auditCredit(row.deposit, write, loggedAt))
  if (proposal !== undefined) markExecuted(database, proposal, loggedAt)
  storeEvent(database, tenantData, redateEvent(write.step.event, loggedAt))
  row.dueAt = null
  database.pendingDeposits.delete(deposit.id)
  const isRedated = deposit.status === 'credited' && loggedAt > deposit.creditedAt
  const committed = isRedated ? { redatedTo: loggedAt } : 'committed'
  row.deposit = depositAsCommitted(deposit, committed)
  const { transfer } = write.step
  if (transfer !== null && !move(tenantData, transfer, { depositId: deposit.id }, loggedAt))
    throw new Error(`deposit ${deposit.id} would take money out of the wallet`)
  return committed
}

/** The approved proposal that the resolution executes. */
function proposalOf(
  database: Database,
  { id: depositId, tenantId, amount }: Deposit,
  write: Exclude<DepositCommit, { kind: 'settle' }>,
): ApprovedProposal | undefined {
  const author = write.kind === 'credit' ? write : write.step.deposit.closed
  const action = storedAction({ type: `${write.kind}_deposit`, depositId, amount })
  const { proposalId } = write
  const { actor, reason } = author
  return approvedProposal(database, { ...action, proposalId, tenantId, actor, reason })
}

function isStale({ deposit, fencingToken }: DepositRow, write: DepositCommit): boolean {
  if (write.kind === 'settle')
    return deposit.status !== 'pending' || fencingToken !== write.claim.fencingToken
  return deposit.status !== 'in_review' || deposit.closed !== null
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
  const sum = (of: readonly UnverifiedCredit[]): bigint =>
    of.reduce((n, { minor }) => n + minor, 0n)
  const { perTenant, inAll } = credit.limits
  return sum(ofTenant) > perTenant.minor || sum(ofDay) > inAll.minor
}
