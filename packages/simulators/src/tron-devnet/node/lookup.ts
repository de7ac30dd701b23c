import { topicOf, transferTopic, wordAddress, wordUint, type Log } from '../token/abi.ts'
import { toBase58, type Address } from '../account/address.ts'
import type { Included } from '../chain/block.ts'
import type { Tokens } from '../transaction/execute.ts'
import { tokenEvents, type AbiEntry } from '../token/token-abi.ts'
import type { View } from '../chain/view.ts'

/** A log of the chain; `index` is its position in its transaction. */
export type ChainLog = { readonly included: Included; readonly log: Log; readonly index: number }

/** All logs between two blocks, both included, oldest first. */
export function* logsOf(view: View, from: number = 0, to: number = view.head.number): Generator<ChainLog> {
  for (const block of view.blocks(from, to))
    for (const included of block.included)
      for (const [index, log] of included.receipt.logs.entries()) yield { included, log, index }
}

/** A `Transfer` log. Any contract can write one, so it proves no transfer. */
export type LoggedTransfer = {
  readonly txid: string
  readonly index: number
  readonly block: number
  readonly timestamp: number
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
    timestamp: included.block.timestamp,
    contract: log.contract,
    from: wordAddress(from),
    to: wordAddress(to),
    value: wordUint(log.data),
  }
}

const signatureOf = ({ name, inputs = [] }: AbiEntry): string => `${name}(${inputs.map(({ type }) => type).join(',')})`

const eventsByTopic = new Map(tokenEvents.map((entry) => [topicOf(signatureOf(entry)), entry]))

/** A log in TronGrid's event lookups; an unknown event has no values. */
export function eventJson({ included, log, index }: ChainLog, solid: number): Record<string, unknown> {
  const entry = eventsByTopic.get(log.topics[0] ?? '')
  return {
    block_number: included.block.number,
    block_timestamp: included.block.timestamp,
    caller_contract_address: toBase58(log.contract),
    contract_address: toBase58(log.contract),
    event_index: index,
    event_name: entry?.name ?? '',
    ...(entry && { event: signatureOf(entry), ...valuesOf(entry, log) }),
    transaction_id: included.tx.txid,
    ...(included.block.number > solid && { _unconfirmed: true }),
  }
}

function valuesOf({ inputs = [] }: AbiEntry, log: Log): Record<string, unknown> {
  const indexed = log.topics.slice(1)
  const plain = log.data.match(/.{64}/g) ?? []
  const result: Record<string, string> = {}
  const types: Record<string, string> = {}
  for (const [i, input] of inputs.entries()) {
    const word = (input.indexed === true ? indexed.shift() : plain.shift()) ?? '0'.repeat(64)
    // TronGrid formats addresses in results as 20 bytes in hex.
    const value = input.type === 'address' ? `0x${word.slice(24)}` : wordUint(word).toString()
    result[String(i)] = value
    result[input.name] = value
    types[input.name] = input.type
  }
  return { result, result_type: types }
}

/** A transfer in TronGrid's lookup by account. */
export function trc20Json(transfer: LoggedTransfer, tokens: Tokens): Record<string, unknown> {
  const token = tokens.get(transfer.contract)
  return {
    transaction_id: transfer.txid,
    token_info: {
      symbol: token?.symbol ?? '',
      address: toBase58(transfer.contract),
      decimals: token?.decimals ?? 0,
      name: token?.name ?? '',
    },
    block_timestamp: transfer.timestamp,
    from: toBase58(transfer.from),
    to: toBase58(transfer.to),
    type: 'Transfer',
    value: transfer.value.toString(),
  }
}
