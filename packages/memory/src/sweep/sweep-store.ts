import { usdt } from '@quipu/core'
import {
  type Acting,
  auditSweepPlan,
  auditSweepSignatures,
  type ClaimedSweep,
  type Credential,
  isLiveSweep,
  type SweepAddress,
  type SweepClaim,
  type SweepPlan,
  type SweepSignature,
  type SweepStore,
  type SweepTransfer,
  plannedLookSeconds,
} from '@quipu/core/operator'
import { addressKey, type Database, positionOf, secondsAfter, tenantDataOf } from '../table/database.ts'
import type { SweepRow } from '../table/sweep-table.ts'
import { newestFirst } from '../newest-first.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'

export function memorySweepStore(database: Database): SweepStore {
  return {
    addresses: async (_chain, query) => pageOfAddresses(database, query),
    insert: async (plan, by) => insertPlan(database, plan, by),
    find: async (batchId) => {
      const batch = database.sweeps.batches.get(batchId)
      return batch && { batch, transfers: transfersOf(database, batchId) }
    },
    list: async (query) => {
      const page = database.sweeps.order.page(query, (id) => database.sweeps.batches.get(id))
      const items = page.items.map((batch) => {
        const counts = { planned: 0, signed: 0, solid: 0, failed: 0, expired: 0 }
        for (const { status } of transfersOf(database, batch.id)) counts[status]++
        return { batch, counts }
      })
      return { ...page, items }
    },
    sign: async (...args) => signTransfers(database, ...args),
    claimDue: async (limit, leaseSeconds) => {
      const now = database.now()
      return Array.from(database.sweeps.transfers.values())
        .filter(({ transfer, dueAt }) => isLiveSweep(transfer) && dueAt <= now)
        .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
        .slice(0, limit)
        .map((row) => claimed(database, row, secondsAfter(now, leaseSeconds)))
    },
    yieldClaim: async (claim, dueInSeconds, { sentAt, problem }) => {
      const row = rowFor(database, claim)
      if (!row) return false
      row.dueAt = secondsAfter(database.now(), dueInSeconds)
      row.transfer = { ...row.transfer, sentAt: row.transfer.sentAt ?? sentAt, problem }
      return true
    },
    settle: async (claim, status, endedAt) => {
      const row = rowFor(database, claim)
      if (!row) return 'stale'
      row.transfer = { ...row.transfer, status, endedAt }
      return 'committed'
    },
    sweptOf: async (_chain, accounts) =>
      new Map(
        accounts.flatMap((account) => {
          const all = ofAccount(database, account)
          const swept = sumOf(all.filter(({ status }) => status === 'solid'))
          const solid = usdt(swept + returnedFromAccount(database, account))
          const live = usdt(sumOf(all.filter(isLiveSweep)))
          return solid.minor + live.minor > 0n ? [[account, { solid, live }]] : []
        }),
      ),
  }
}

function insertPlan(
  database: Database,
  { batch, transfers }: SweepPlan,
  by: Credential,
): readonly SweepTransfer[] | 'unauthorized' {
  const acting = actingToken(database, by, batch.createdAt, ['admin'])
  if (!acting) return 'unauthorized'
  if (database.addressOwners.has(addressKey({ ...batch, ...batch.treasury })))
    throw new Error(`the treasury ${batch.treasury.address} is a top-up address`)
  for (const { account, address } of transfers)
    if (!database.addressOwners.has(addressKey({ ...batch, account })))
      throw new Error(`${address} is not a top-up address`)
  const inserted = transfers.filter(({ account }) => !liveOf(database, account))
  if (inserted.length === 0) return []
  const dueAt = secondsAfter(database.now(), plannedLookSeconds)
  database.sweeps.batches.set(batch.id, batch)
  database.sweeps.order.add(positionOf(batch))
  for (const transfer of inserted)
    database.sweeps.transfers.set(transfer.id, { transfer, fencingToken: 0, claimCount: 0, dueAt })
  writeAudit(database, auditSweepPlan({ batch, transfers: inserted }, acting.author))
  return inserted
}

function signTransfers(
  database: Database,
  batchId: string,
  signatures: readonly SweepSignature[],
  by: Acting,
): readonly string[] | 'unauthorized' {
  const acting = actingToken(database, by, by.at, writers)
  if (!acting) return 'unauthorized'
  const signed = signatures.flatMap(({ transferId, signature }) => {
    const row = database.sweeps.transfers.get(transferId)
    if (row?.transfer.batchId !== batchId || row.transfer.status !== 'planned') return []
    row.transfer = { ...row.transfer, status: 'signed', signature }
    row.dueAt = database.now()
    row.fencingToken++
    row.claimCount = 0
    return [transferId]
  })
  if (signed.length > 0) writeAudit(database, auditSweepSignatures(batchId, signed, acting.author))
  return signed
}

const ofAccount = ({ sweeps }: Database, account: string) =>
  Array.from(sweeps.transfers.values(), ({ transfer }) => transfer).filter((transfer) => transfer.account === account)

const liveOf = (database: Database, account: string) => ofAccount(database, account).find(isLiveSweep)

const sumOf = (rows: readonly { readonly amount: { readonly minor: bigint } }[]): bigint =>
  rows.reduce((sum, { amount }) => sum + amount.minor, 0n)

const transfersOf = ({ sweeps }: Database, batchId: string) =>
  Array.from(sweeps.transfers.values(), ({ transfer }) => transfer)
    .filter((transfer) => transfer.batchId === batchId)
    .toSorted((a, b) => a.index - b.index)

/** Undefined when a newer claim exists, and when the transfer has ended. */
function rowFor({ sweeps }: Database, { transferId, fencingToken }: SweepClaim): SweepRow | undefined {
  const row = sweeps.transfers.get(transferId)
  return row && row.fencingToken === fencingToken && isLiveSweep(row.transfer) ? row : undefined
}

function claimed({ sweeps }: Database, row: SweepRow, leasedUntil: Date): ClaimedSweep {
  row.fencingToken++
  row.claimCount++
  row.dueAt = leasedUntil
  const { transfer, fencingToken, claimCount } = row
  const { treasury } = sweeps.batches.get(transfer.batchId) ?? {}
  if (!treasury) throw new Error(`no batch ${transfer.batchId}`)
  const claim = { transferId: transfer.id, fencingToken }
  return { claim, transfer, treasury: treasury.account, claimCount }
}

function pageOfAddresses(
  database: Database,
  query: Parameters<SweepStore['addresses']>[1],
): Awaited<ReturnType<SweepStore['addresses']>> {
  const order = newestFirst()
  const rows = new Map<string, { createdAt: Date; id: string; row: SweepAddress }>()
  for (const [key, owner] of database.addressOwners) {
    const stored = tenantDataOf(database, owner).addresses.get(key)
    if (!stored) continue
    const { tenantId, account, address, index, createdAt } = stored
    const solid = ofAccount(database, account).filter(({ status }) => status === 'solid')
    const row = {
      tenantId,
      account,
      address,
      index,
      createdAt,
      received: usdt(sumOf(confirmedAt(database, address))),
      swept: usdt(sumOf(solid) + returnedFrom(database, address)),
      hasOpenReview: confirmedAt(database, address).some(
        (deposit) => deposit.status === 'in_review' && deposit.closed === null,
      ),
      liveTransferId: liveOf(database, account)?.id ?? null,
    }
    rows.set(address, { createdAt, id: address, row })
    order.add({ createdAt, id: address })
  }
  const page = order.page(query, (id) => rows.get(id))
  return { ...page, items: page.items.map(({ row }) => row) }
}

/** The sum of the deposits that were sent back from the address. */
const returnedFrom = ({ depositReturns }: Database, address: string): bigint =>
  depositReturns.filter((each) => each.address === address).reduce((sum, { amount }) => sum + amount.minor, 0n)

const returnedFromAccount = (database: Database, account: string): bigint => {
  const key = addressKey({ chain: 'tron', account })
  const stored = database.tenants.get(database.addressOwners.get(key) ?? '')?.addresses.get(key)
  return stored ? returnedFrom(database, stored.address) : 0n
}

const confirmedAt = ({ deposits }: Database, address: string) =>
  Array.from(deposits.values())
    .filter(({ deposit, solid }) => deposit.address === address && solid?.type === 'confirmed')
    .map(({ deposit }) => deposit)
