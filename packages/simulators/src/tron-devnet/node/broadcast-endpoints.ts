import { duplicate, refusalOf, type BroadcastRefusal } from '../chain/admission.ts'
import type { Endpoint, NodeContext } from './endpoint.ts'
import { readSigned } from './transaction-json.ts'
import type { Transaction } from '../transaction/transaction.ts'

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
}
