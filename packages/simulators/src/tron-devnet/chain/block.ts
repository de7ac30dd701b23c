import { labelledAddress, type Address } from '../account/address.ts'
import { sha256 } from '../account/digest.ts'
import type { Receipt } from '../transaction/execute.ts'
import { encodeMessage } from '../transaction/protobuf.ts'
import type { Undo } from '../state.ts'
import type { Transaction } from '../transaction/transaction.ts'

export type Block = {
  readonly number: number
  /** The number in 8 bytes and 24 bytes of the header's hash, as on the real chain. */
  readonly id: string
  readonly parentId: string
  /** Ms since the epoch. */
  readonly timestamp: number
  readonly witness: Address
  readonly root: string
  readonly included: readonly Included[]
  /** Restores the state before the block; null for old blocks. */
  undo: Undo | null
}

/** A transaction in a block. */
export type Included = {
  readonly tx: Transaction
  readonly receipt: Receipt
  readonly block: Pick<Block, 'number' | 'timestamp'>
}

const noParent: string = '0'.repeat(64)
export const blockVersion = 31

const witnesses = Array.from({ length: 27 }, (_, i) => labelledAddress(`witness ${i}`))

/** Creates a block on its parent. `salt` distinguishes blocks that are otherwise equal. */
export function blockOf(
  parent: Block | undefined,
  timestamp: number,
  salt: number,
  ran: readonly { readonly tx: Transaction; readonly receipt: Receipt }[],
  undo: Undo,
): Block {
  const number = parent ? parent.number + 1 : 0
  const parentId = parent?.id ?? noParent
  const witness = witnesses[(number + salt) % witnesses.length] ?? ''
  const root = rootOf(ran)
  const header = encodeMessage([
    [1, timestamp],
    [2, Buffer.from(root, 'hex')],
    [3, Buffer.from(parentId, 'hex')],
    [7, number],
    [8, salt],
    [9, Buffer.from(witness, 'hex')],
    [10, blockVersion],
  ])
  const id = number.toString(16).padStart(16, '0') + sha256(header).toString('hex').slice(16)
  const place = { number, timestamp }
  return {
    number,
    id,
    parentId,
    timestamp,
    witness,
    root,
    included: ran.map(({ tx, receipt }) => ({ tx, receipt, block: place })),
    undo,
  }
}

/** In place of the Merkle root: a digest of the transactions in their order. */
const rootOf = (ran: readonly { readonly tx: Transaction }[]): string =>
  ran.length === 0 ? noParent : sha256(Buffer.from(ran.map(({ tx }) => tx.txid).join(''), 'hex')).toString('hex')
