import type { ChainAccount, ChainBlock, TokenTransfer } from '@quipu/core/adapter'
import type { BlockAnswer, InfoAnswer, LogAnswer } from './block-answers.ts'

/** `Transfer(address,address,uint256)`, hashed. */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * A block with what became of its transactions.
 *
 * @returns undefined when the infos are not those of exactly this block's transactions: a node
 *   tells of a block before it has the infos, or has them of another block of the same height
 */
export function decodeBlock(
  { header, transactions }: BlockAnswer,
  infos: readonly InfoAnswer[],
  token: ChainAccount,
): ChainBlock | undefined {
  const expirations = new Map(transactions.map(({ txID, raw_data }) => [txID, raw_data.expiration]))
  const ids = [...expirations.keys()]
  if (ids.length !== transactions.length || ids.length !== infos.length) return undefined
  const transfers: TokenTransfer[] = []
  const unknownTokenRecipients: ChainAccount[] = []
  for (const info of infos) {
    const expiration = expirations.get(info.id)
    if (expiration === undefined || info.blockNumber !== header.number) return undefined
    expirations.delete(info.id) // A second info of the same one is not that of another.
    const expiresAt = new Date(expiration)
    for (const { contract, index, from, to, value } of transfersOf(info)) {
      if (contract === token) transfers.push({ txHash: info.id, index, from, to, value, expiresAt })
      else unknownTokenRecipients.push(to)
    }
  }
  return { ...header, transactions: ids, transfers, unknownTokenRecipients }
}

/** Whether the token moved in this transaction. */
export const movedToken = (info: InfoAnswer, token: ChainAccount): boolean =>
  transfersOf(info).some(({ contract }) => contract === token)

type Transfer = Pick<TokenTransfer, 'index' | 'from' | 'to' | 'value'> & {
  readonly contract: ChainAccount
}

/** The logs by which any contract says that its tokens moved; none of a failed transaction. */
function transfersOf({ receipt, result, log }: InfoAnswer): Transfer[] {
  if (receipt.result !== 'SUCCESS' || result === 'FAILED') return []
  const transfers: Transfer[] = []
  for (const [index, said] of log.entries()) {
    const transfer = transferOf(said, index)
    if (transfer) transfers.push(transfer)
  }
  return transfers
}

/** Three topics and one word: a collectible's `Transfer` has four, and is none of ours. */
function transferOf({ address, topics, data }: LogAnswer, index: number): Transfer | undefined {
  const [name, sender = '', recipient = '', ...more] = topics
  if (name !== transferTopic || more.length > 0 || data.length !== 64) return undefined
  const from = accountIn(sender)
  const to = accountIn(recipient)
  if (from === undefined || to === undefined) return undefined
  return { contract: address, index, from, to, value: BigInt(`0x${data}`) }
}

/** The account that a word of 32 bytes holds: nothing stands before its 20 bytes. */
const accountIn = (word: string): ChainAccount | undefined =>
  word.length === 64 && word.startsWith(zeros) ? word.slice(24) : undefined

const zeros = '0'.repeat(24)
