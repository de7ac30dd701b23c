import { z } from 'zod'
import { duplicate, refusalOf, type BroadcastRefusal } from '../chain/admission.ts'
import type { Endpoint, NodeContext } from './endpoint.ts'
import { readSigned, signedJson, InvalidRequest } from './transaction-json.ts'
import { decodeTransaction, type Transaction } from '../transaction/transaction.ts'

const HexBody = z.object({ transaction: z.string().regex(/^([0-9a-fA-F]{2})+$/) })

/** A node's answer to a broadcast; its HTTP status is always 200. */
export const broadcastAnswer = (txid: string, refusal: BroadcastRefusal | null): Record<string, unknown> =>
  refusal === null
    ? { result: true, txid }
    : { code: refusal.code, txid, message: Buffer.from(refusal.message).toString('hex') }

function broadcast({ chain, accept, isRepeated }: NodeContext, tx: Transaction): Record<string, unknown> {
  const refusal = isRepeated(tx.txid) ? duplicate : refusalOf(chain, tx)
  if (refusal === null) accept(tx)
  return broadcastAnswer(tx.txid, refusal)
}

export const broadcastEndpoints: Readonly<Record<string, Endpoint>> = {
  broadcasttransaction: (context, { body }) => broadcast(context, readSigned(body)),

  broadcasthex(context, { body }) {
    const tx = readHex(HexBody.parse(body).transaction)
    const transaction = JSON.stringify({ visible: false, ...signedJson(tx, false) })
    return { ...broadcast(context, tx), transaction }
  },
}

function readHex(text: string): Transaction {
  try {
    return decodeTransaction(Buffer.from(text, 'hex'))
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidRequest(error.message, { cause: error })
    throw error
  }
}
