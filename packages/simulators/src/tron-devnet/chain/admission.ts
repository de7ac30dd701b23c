import { recoverSigner } from '../account/address.ts'
import type { Chain } from './chain.ts'
import { execute, Invalid } from '../transaction/execute.ts'
import { createState } from '../state.ts'
import { sizeOf, type Transaction } from '../transaction/transaction.ts'

/** A node's error codes of a broadcast; `BANDWITH` is their spelling. */
export const refusalCodes = [
  'SIGERROR',
  'CONTRACT_VALIDATE_ERROR',
  'CONTRACT_EXE_ERROR',
  'BANDWITH_ERROR',
  'DUP_TRANSACTION_ERROR',
  'TAPOS_ERROR',
  'TOO_BIG_TRANSACTION_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
  'SERVER_BUSY',
  'NO_CONNECTION',
  'NOT_ENOUGH_EFFECTIVE_CONNECTION',
  'BLOCK_UNSOLIDIFIED',
  'OTHER_ERROR',
] as const
/** One of `refusalCodes`. */
export type RefusalCode = (typeof refusalCodes)[number]

export type BroadcastRefusal = { readonly code: RefusalCode; readonly message: string }

export const duplicate: BroadcastRefusal = { code: 'DUP_TRANSACTION_ERROR', message: 'Dup transaction.' }

const dayMs = 86_400_000
const bytesMax = 500 * 1024
/** Reach of a block reference, which has two bytes. */
const referenceBlocks = 65_536

/** The refusal of a transaction, checked in a node's order; null if it is accepted. */
export function refusalOf(chain: Chain, tx: Transaction): BroadcastRefusal | null {
  const { raw, txid } = tx
  const refuse = (code: RefusalCode, message: string): BroadcastRefusal => ({ code, message })
  if (!isSigned(tx)) return refuse('SIGERROR', 'Validate signature error: sig error')
  if (!isAnchored(chain, raw.refBlockBytes, raw.refBlockHash)) return refuse('TAPOS_ERROR', 'Tapos check error.')
  if (sizeOf(tx) > bytesMax) return refuse('TOO_BIG_TRANSACTION_ERROR', 'Transaction size is too big.')
  const { timestamp } = chain.head()
  if (raw.expiration <= timestamp || raw.expiration > timestamp + dayMs)
    return refuse('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired')
  if (chain.pending.has(txid) || chain.data.included.has(txid)) return duplicate
  return trial(chain, tx)
}

function isSigned({ txid, raw, signatures }: Transaction): boolean {
  const [signature, ...more] = signatures
  if (signature === undefined || more.length > 0) return false
  return recoverSigner(Buffer.from(txid, 'hex'), signature) === raw.call.owner
}

/** Whether the referenced block is on this branch. */
function isAnchored(chain: Chain, bytes: string, hash: string): boolean {
  if (!/^[0-9a-f]{4}$/.test(bytes)) return false
  const { number } = chain.head()
  const back = (number - parseInt(bytes, 16) + referenceBlocks) % referenceBlocks
  return (
    chain
      .view()
      .block(number - back)
      ?.id.slice(16, 32) === hash
  )
}

/** A transaction that reverts is accepted; it fails in its block. */
function trial(chain: Chain, tx: Transaction): BroadcastRefusal | null {
  try {
    execute(createState(chain.data.read), chain.tokens, tx, chain.head().timestamp)
    return null
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const { code, message } = error
    if (code === 'BANDWITH_ERROR') return { code, message }
    return { code, message: `Contract validate error : ${message}` }
  }
}
