import { type Chain, type ObservedTransfer, type TransferRef, type UnconfirmedTransfer } from '@quipu/core/adapter'
import { append, type Database, type DepositRow, positionOf, tenantDataOf } from '../table/database.ts'
import { storeEvent } from '../event/event-store.ts'
import { log } from '../ledger/wallet-transfers.ts'

/** Records a transfer of the head: inserts a deposit unless the transfer has one. */
export function recordAtHead(database: Database, observed: ObservedTransfer): void {
  if (rowsOf(database, observed.step.deposit).length === 0) insert(database, observed)
}

/**
 * Records a transfer of a solid block, which overrides what the head has shown.
 *
 * @returns whether an earlier solid block contradicts it
 */
export function recordSolid(database: Database, observed: ObservedTransfer): boolean {
  const { address, amount, fromAddress } = observed.step.deposit
  const rows = rowsOf(database, observed.step.deposit)
  const isHere = ({ deposit }: DepositRow): boolean => deposit.address === address
  const current = rows.find(({ solid }) => solid?.type !== 'gone')
  if (current?.solid?.type === 'confirmed') return !isHere(current)
  const wasRuledOut = rows.some((row) => row.solid?.type === 'gone' && isHere(row))
  if (current !== undefined && !isHere(current)) decide(database, current, { type: 'gone' })
  const row = current !== undefined && isHere(current) ? current : insert(database, observed)
  row.deposit = { ...row.deposit, amount, fromAddress }
  row.sender = observed.sender
  decide(database, row, { type: 'confirmed', block: observed.block })
  return wasRuledOut
}

/** Records that solid blocks rule the transfer out. */
export function markGone(database: Database, ref: TransferRef): void {
  const row = rowsOf(database, ref).find(({ solid }) => solid === null)
  if (row !== undefined) decide(database, row, { type: 'gone' })
}

export const unconfirmedIn = (database: Database, chain: Chain, throughBlock: number): UnconfirmedTransfer[] =>
  pendingRows(database)
    .filter(({ deposit, solid }) => deposit.chain === chain && solid === null)
    .filter(({ firstBlock }) => firstBlock <= throughBlock)
    .map(({ deposit: { txHash, transferIndex, address }, expiresAt }) => {
      return { chain, txHash, transferIndex, address, expiresAt }
    })

/** In insertion order. */
export const pendingRows = ({ pendingDeposits, deposits }: Database): DepositRow[] =>
  Array.from(pendingDeposits).flatMap((id) => deposits.get(id) ?? [])

export const refOf = ({ chain, txHash, transferIndex }: TransferRef): TransferRef => ({ chain, txHash, transferIndex })

const refKey = ({ chain, txHash, transferIndex }: TransferRef): string => `${chain}:${txHash}:${transferIndex}`

/** The deposits of a transfer: at most one of them is not `gone`. */
const rowsOf = (database: Database, ref: TransferRef): DepositRow[] =>
  (database.depositIds.get(refKey(ref)) ?? []).flatMap((id) => database.deposits.get(id) ?? [])

function insert(database: Database, { step, sender, block, expiresAt }: ObservedTransfer): DepositRow {
  const { deposit, event } = step
  const tenantData = tenantDataOf(database, deposit.tenantId)
  const row: DepositRow = {
    deposit,
    sender,
    firstBlock: block,
    expiresAt,
    solid: null,
    solidAt: null,
    fencingToken: 0,
    claimCount: 0,
    problem: null,
    screenedBy: null,
    dueAt: null,
  }
  database.deposits.set(deposit.id, row)
  append(database.depositIds, refKey(deposit), deposit.id)
  database.pendingDeposits.add(deposit.id)
  database.depositOrder.add(positionOf(deposit))
  tenantData.depositOrder.add(positionOf(deposit))
  storeEvent(database, tenantData, event.recordedOn(log(tenantData.wallet, event.recordedAt)))
  return row
}

function decide(database: Database, row: DepositRow, solid: NonNullable<DepositRow['solid']>): void {
  row.solid = solid
  row.dueAt = row.solidAt = database.now()
}
