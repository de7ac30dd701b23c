import {
  type Chain,
  redateEvent,
  type ObservedTransfer,
  type TransferRef,
  type Unconfirmed,
} from '@quipu/core'
import { append, type Database, type DepositRow, positionOf, roomOf } from '../database.ts'
import { tell } from '../event/event-store.ts'
import { log } from '../ledger/wallet-transfers.ts'

/** Notes what the head shows: it adds a deposit to a transfer that never had one. */
export function seeAtHead(database: Database, observed: ObservedTransfer): void {
  if (rowsOf(database, observed.step.deposit).length === 0) insert(database, observed)
}

/**
 * Notes what a solid block shows: it decides, whatever the head has shown.
 *
 * @returns whether solid blocks said otherwise before
 */
export function seeSolid(database: Database, observed: ObservedTransfer): boolean {
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

/** Solid blocks prove that it will never be. */
export function markGone(database: Database, ref: TransferRef): void {
  const row = rowsOf(database, ref).find(({ solid }) => solid === null)
  if (row !== undefined) decide(database, row, { type: 'gone' })
}

export const unconfirmedIn = (
  database: Database,
  chain: Chain,
  throughBlock: number,
): Unconfirmed[] =>
  pendingRows(database)
    .filter(({ deposit, solid }) => deposit.chain === chain && solid === null)
    .filter(({ firstBlock }) => firstBlock <= throughBlock)
    .map(({ deposit: { txHash, transferIndex, address }, expiresAt }) => {
      return { chain, txHash, transferIndex, address, expiresAt }
    })

/** In the order in which they came. */
export const pendingRows = ({ pendingDeposits, deposits }: Database): DepositRow[] =>
  Array.from(pendingDeposits).flatMap((id) => deposits.get(id) ?? [])

export const refOf = ({ chain, txHash, transferIndex }: TransferRef): TransferRef => ({
  chain,
  txHash,
  transferIndex,
})

const refKey = ({ chain, txHash, transferIndex }: TransferRef): string =>
  `${chain}:${txHash}:${transferIndex}`

/** All but one of them are gone. */
const rowsOf = (database: Database, ref: TransferRef): DepositRow[] =>
  (database.depositIds.get(refKey(ref)) ?? []).flatMap((id) => database.deposits.get(id) ?? [])

function insert(
  database: Database,
  { step, event, sender, block, expiresAt }: ObservedTransfer,
): DepositRow {
  const { deposit } = step
  const room = roomOf(database, deposit.tenantId)
  const row: DepositRow = {
    deposit,
    sender,
    firstBlock: block,
    expiresAt,
    solid: null,
    fencingToken: 0,
    claimCount: 0,
    dueAt: null,
  }
  database.deposits.set(deposit.id, row)
  append(database.depositIds, refKey(deposit), deposit.id)
  database.pendingDeposits.add(deposit.id)
  database.depositOrder.add(positionOf(deposit))
  room.depositOrder.add(positionOf(deposit))
  tell(database, room, redateEvent(event, log(room.wallet, event.recordedAt), event.occurredAt))
  return row
}

function decide(
  database: Database,
  row: DepositRow,
  solid: NonNullable<DepositRow['solid']>,
): void {
  row.solid = solid
  row.dueAt = database.now()
}
