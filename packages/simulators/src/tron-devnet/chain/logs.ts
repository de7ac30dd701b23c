import { transferTopic, wordAddress, wordUint, type Log } from '../token/abi.ts'
import type { Address } from '../account/address.ts'
import type { Included } from './block.ts'
import type { View } from './view.ts'

/** A log of the chain; `index` is its position in its transaction. */
export type ChainLog = { readonly included: Included; readonly log: Log; readonly index: number }

/** All logs, oldest first. */
export function* logsOf(view: View): Generator<ChainLog> {
  for (const block of view.blocks(0, view.head.number))
    for (const included of block.included)
      for (const [index, log] of included.receipt.logs.entries()) yield { included, log, index }
}

/** A `Transfer` log. Any contract can write one, so it proves no transfer. */
type LoggedTransfer = {
  readonly txid: string
  readonly index: number
  readonly block: number
  readonly contract: Address
  readonly from: Address
  readonly to: Address
  readonly value: bigint
}

export function transferOf({ included, log, index }: ChainLog): LoggedTransfer | null {
  const [topic, from, to, ...more] = log.topics
  if (topic !== transferTopic || from === undefined || to === undefined || more.length > 0) return null
  if (!/^[0-9a-f]{64}$/.test(log.data)) return null
  return {
    txid: included.tx.txid,
    index,
    block: included.block.number,
    contract: log.contract,
    from: wordAddress(from),
    to: wordAddress(to),
    value: wordUint(log.data),
  }
}
