import type { ChainAccount, ChainBlock, TokenTransfer, UnknownTokenTransfer } from '@quipu/core/adapter'
import type { BlockAnswer, InfoAnswer, LogAnswer } from './block-answers.ts'

/** Hash of `Transfer(address,address,uint256)`. */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The parts of a receipt that a scan needs. */
export type DecodedInfo = {
  readonly id: string
  readonly blockNumber: number
  readonly transfers: readonly Omit<TokenTransfer, 'txHash' | 'expiresAt'>[]
  /** `Transfer` logs of other contracts. */
  readonly unknownTokenTransfers: readonly Omit<UnknownTokenTransfer, 'txHash'>[]
}

export function decodeInfo(info: InfoAnswer, token: ChainAccount): DecodedInfo {
  const { id, blockNumber } = info
  const transfers: DecodedInfo['transfers'][number][] = []
  const unknownTokenTransfers: DecodedInfo['unknownTokenTransfers'][number][] = []
  for (const { contract, ...transfer } of transfersOf(info)) {
    if (contract === token) transfers.push(transfer)
    else unknownTokenTransfers.push({ contract, to: transfer.to })
  }
  return { id, blockNumber, transfers, unknownTokenTransfers }
}

/**
 * Combines a block with the receipts of its transactions.
 *
 * @returns undefined if the infos do not match the transactions exactly: a node can answer a block
 *   before its infos, or infos of another block of the same height
 */
export function decodeBlock(
  { header, transactions }: BlockAnswer,
  infos: readonly DecodedInfo[],
): ChainBlock | undefined {
  const expirations = new Map(transactions.map(({ txID, raw_data }) => [txID, raw_data.expiration]))
  const ids = [...expirations.keys()]
  if (ids.length !== transactions.length || ids.length !== infos.length) return undefined
  const transfers: TokenTransfer[] = []
  const unknownTokenTransfers: UnknownTokenTransfer[] = []
  for (const info of infos) {
    const expiration = expirations.get(info.id)
    if (expiration === undefined || info.blockNumber !== header.number) return undefined
    expirations.delete(info.id) // A second info of the same transaction is a mismatch.
    const expiresAt = new Date(expiration)
    for (const each of info.transfers) transfers.push({ txHash: info.id, ...each, expiresAt })
    for (const each of info.unknownTokenTransfers) unknownTokenTransfers.push({ txHash: info.id, ...each })
  }
  return { ...header, transactions: ids, transfers, unknownTokenTransfers }
}

/** Whether the transaction has a transfer of the token. */
export const movedToken = (info: InfoAnswer, token: ChainAccount): boolean =>
  transfersOf(info).some(({ contract }) => contract === token)

type Transfer = Pick<TokenTransfer, 'index' | 'from' | 'to' | 'value'> & { readonly contract: ChainAccount }

/** `Transfer` logs of all contracts; none if the transaction failed. */
function transfersOf({ receipt, result, log }: InfoAnswer): Transfer[] {
  if (receipt.result !== 'SUCCESS' || result === 'FAILED') return []
  const transfers: Transfer[] = []
  for (const [index, entry] of log.entries()) {
    const transfer = transferOf(entry, index)
    if (transfer) transfers.push(transfer)
  }
  return transfers
}

/** Three topics and one word. The `Transfer` of a TRC-721 token has four topics. */
function transferOf({ address, topics, data }: LogAnswer, index: number): Transfer | undefined {
  const [name, sender = '', recipient = '', ...more] = topics
  if (name !== transferTopic || more.length > 0 || data.length !== 64) return undefined
  const from = accountOfWord(sender)
  const to = accountOfWord(recipient)
  if (from === undefined || to === undefined) return undefined
  return { contract: address, index, from, to, value: BigInt(`0x${data}`) }
}

/** The account in a word of 32 bytes; undefined unless its first 12 bytes are zero. */
const accountOfWord = (word: string): ChainAccount | undefined =>
  word.length === 64 && word.startsWith(zeros) ? word.slice(24) : undefined

const zeros = '0'.repeat(24)
