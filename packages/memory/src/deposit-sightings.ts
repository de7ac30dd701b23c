import type { Chain, Sighting, TransferRef, Unconfirmed } from '@quipu/core'
import { append, type Database, type DepositRow, positionOf, roomOf } from './database.ts'

/** Notes what a block shows; in a solid one it decides what nothing has decided yet. */
export function see(database: Database, sighting: Sighting, isSolid: boolean): void {
  const row = find(database, sighting.step.deposit) ?? insert(database, sighting)
  if (!isSolid || row.solid !== null || isElsewhere(row, sighting)) return
  const { amount, fromAddress } = sighting.step.deposit
  row.deposit = { ...row.deposit, amount, fromAddress }
  row.sender = sighting.sender
  decide(database, row, { type: 'confirmed', block: sighting.block })
}

/** Solid blocks prove that it will never be. */
export function markGone(database: Database, ref: TransferRef): void {
  const row = find(database, ref)
  if (row?.solid === null) decide(database, row, { type: 'gone' })
}

export function isContradicted(database: Database, sighting: Sighting): boolean {
  const row = find(database, sighting.step.deposit)
  return row !== undefined && (row.solid?.type === 'gone' || isElsewhere(row, sighting))
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

const find = (database: Database, ref: TransferRef): DepositRow | undefined =>
  database.deposits.get(database.depositIds.get(refKey(ref)) ?? '')

const isElsewhere = (row: DepositRow, { step }: Sighting): boolean =>
  row.deposit.address !== step.deposit.address

function insert(
  database: Database,
  { step, event, sender, block, expiresAt }: Sighting,
): DepositRow {
  const { deposit } = step
  const room = roomOf(database, deposit.tenantId)
  const row: DepositRow = {
    deposit,
    sender,
    firstBlock: block,
    expiresAt,
    solid: null,
    fence: 0,
    asked: 0,
    dueAt: null,
  }
  database.deposits.set(deposit.id, row)
  database.depositIds.set(refKey(deposit), deposit.id)
  database.pendingDeposits.add(deposit.id)
  database.depositOrder.add(positionOf(deposit))
  room.depositOrder.add(positionOf(deposit))
  append(room.events, deposit.id, event)
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
