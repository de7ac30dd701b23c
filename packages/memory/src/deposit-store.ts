import {
  asCommitted,
  type ClaimedDeposit,
  type Deposit,
  type DepositClaim,
  type DepositCommit,
  type DepositQuery,
  type DepositStore,
  redateEvent,
  type UnverifiedLimits,
} from '@quipu/core'
import {
  type Database,
  type DepositRow,
  roomOf,
  secondsAfter,
  type UnverifiedCredit,
} from './database.ts'
import { pendingRows } from './deposit-sightings.ts'
import { tell } from './event-store.ts'
import { log, move } from './wallet-moves.ts'

export function memoryDepositStore(database: Database): DepositStore {
  return {
    get: async (tenantId, id) => {
      const deposit = database.deposits.get(id)?.deposit
      return deposit?.tenantId === tenantId ? deposit : undefined
    },
    find: async (id) => database.deposits.get(id)?.deposit,
    list: async (tenantId, query) => {
      const room = database.rooms.get(tenantId)
      if (room === undefined) return { items: [], next: null }
      return room.depositOrder.page(query, filtered(database, query))
    },
    listAll: async (query) =>
      database.depositOrder.page(query, filtered(database, query, query.open === true)),
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
    release: async ({ depositId, fence }, dueInSeconds) => {
      const row = database.deposits.get(depositId)
      if (row === undefined || row.dueAt === null || row.fence !== fence) return false
      row.dueAt = secondsAfter(database.now(), dueInSeconds)
      return true
    },
    commit: async (write) => commitDeposit(database, write),
  }
}

const filtered =
  ({ deposits }: Database, { status }: DepositQuery, isOpen = false) =>
  (id: string): Deposit | undefined => {
    const deposit = deposits.get(id)?.deposit
    if (status !== undefined && deposit?.status !== status) return undefined
    const isClosed = deposit?.status === 'in_review' && deposit.closed !== null
    return isOpen && isClosed ? undefined : deposit
  }

function claim(database: Database, row: DepositRow, leaseSeconds: number): ClaimedDeposit {
  const { deposit, sender, solid } = row
  const room = roomOf(database, deposit.tenantId)
  const topUp = Array.from(room.addresses.values()).find(
    ({ chain, address }) => chain === deposit.chain && address === deposit.address,
  )
  if (deposit.status !== 'pending' || solid === null || topUp === undefined)
    throw new Error(`deposit ${deposit.id} is due and should not be`)
  row.fence++
  row.asked++
  row.dueAt = secondsAfter(database.now(), leaseSeconds)
  const claim: DepositClaim = { depositId: deposit.id, fence: row.fence }
  return {
    claim,
    deposit,
    sender,
    solid,
    topUp,
    tenantStatus: room.tenant.status,
    asked: row.asked,
  }
}

function commitDeposit(
  database: Database,
  write: DepositCommit,
): Awaited<ReturnType<DepositStore['commit']>> {
  const { deposit, effects } = write.step
  const row = database.deposits.get(deposit.id)
  if (row === undefined || isStale(row, write)) return 'stale'
  const unverified = unverifiedCredit(write, database.now())
  if (unverified !== undefined && exceeds(database.unverifiedCredits, unverified))
    return 'above_unverified_limit'
  const room = roomOf(database, deposit.tenantId)
  const given = deposit.status === 'credited' ? deposit.creditedAt : undefined
  const loggedAt = given && log(room.wallet, given)
  const redatedTo = given && loggedAt && loggedAt > given ? loggedAt : undefined
  for (const effect of effects) {
    if (effect.type === 'transfer' && deposit.status === 'credited') {
      const moved = move(
        room,
        effect.transfer,
        { depositId: deposit.id },
        loggedAt ?? deposit.creditedAt,
      )
      if (!moved) throw new Error(`deposit ${deposit.id} takes money out of the wallet`)
    }
  }
  if (write.kind !== 'close')
    tell(database, room, redatedTo ? redateEvent(write.event, redatedTo) : write.event)
  if (write.kind !== 'settle')
    database.audit.push(redatedTo ? { ...write.audit, at: redatedTo } : write.audit)
  if (unverified !== undefined) database.unverifiedCredits.push(unverified)
  const committed = redatedTo ? { redatedTo } : 'committed'
  row.deposit = asCommitted(deposit, committed)
  row.dueAt = null
  database.pendingDeposits.delete(deposit.id)
  return committed
}

function isStale({ deposit, fence }: DepositRow, write: DepositCommit): boolean {
  if (write.kind === 'settle') return deposit.status !== 'pending' || fence !== write.claim.fence
  return deposit.status !== 'in_review' || deposit.closed !== null
}

const dayMs = 86_400_000

type Limited = UnverifiedCredit & { readonly limits: UnverifiedLimits }

/** The credit that one provider alone has shown, if the write is one. */
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
