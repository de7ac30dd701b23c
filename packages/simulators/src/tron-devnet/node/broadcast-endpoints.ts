import { z } from 'zod'
import { refusalOf, type BroadcastRefusal } from '../transaction/admission.ts'
import type { Endpoint, Ledger } from './endpoint.ts'
import { readSigned, signedJson, Unreadable } from './transaction-json.ts'
import { decodeTransaction, type Transaction } from '../transaction/transaction.ts'

const HexBody = z.object({ transaction: z.string().regex(/^([0-9a-fA-F]{2})+$/) })

/** How a node words its answer to a broadcast, always with HTTP status 200. */
export const broadcastAnswer = (
  txid: string,
  refusal: BroadcastRefusal | null,
): Record<string, unknown> =>
  refusal === null
    ? { result: true, txid }
    : { code: refusal.code, txid, message: Buffer.from(refusal.message).toString('hex') }

function broadcast({ chain, accept }: Ledger, tx: Transaction): Record<string, unknown> {
  const refusal = refusalOf(chain, tx)
  if (refusal === null) accept(tx)
  return broadcastAnswer(tx.txid, refusal)
}

export const broadcastEndpoints: Readonly<Record<string, Endpoint>> = {
  broadcasttransaction: (ledger, { body }) => broadcast(ledger, readSigned(body)),

  broadcasthex(ledger, { body }) {
    const tx = readHex(HexBody.parse(body).transaction)
    const transaction = JSON.stringify({ visible: false, ...signedJson(tx, false) })
    return { ...broadcast(ledger, tx), transaction }
  },
}

function readHex(text: string): Transaction {
  try {
    return decodeTransaction(Buffer.from(text, 'hex'))
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable(error.message, { cause: error })
    throw error
  }
}
