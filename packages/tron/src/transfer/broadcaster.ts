import { type Broadcaster, Unavailable } from '@quipu/core'
import type { BlockRef, SignedTransfer } from '@quipu/core/adapter'
import { z } from 'zod'
import { readAddress } from '../address/address.ts'
import { HeaderOrEmpty, InfoOrEmpty } from '../block/block-answers.ts'
import { movedToken } from '../block/decode-block.ts'
import { feeLimitFor } from './fee-limit.ts'
import type { TronNode } from '../node/tron-node.ts'

export type TronBroadcasterOptions = {
  readonly node: TronNode
  /** `T…` */
  readonly tokenContract: string
  /** The most that a transfer may ever burn, in sun; 100 TRX by default. */
  readonly feeLimitMax?: bigint
  /**
   * How many blocks one replica behind the solidity node's address may be behind another; 20, a
   * minute, by default. What a replica does not have is told as of so many blocks ago.
   */
  readonly replicaLagBlocks?: number
}

export function tronBroadcaster(options: TronBroadcasterOptions): Broadcaster {
  const { node, feeLimitMax = 100_000_000n, replicaLagBlocks = 20 } = options
  const token = readAddress(options.tokenContract)
  return {
    prepare: (from, to, { minor }) => feeLimitFor(node, { token, from, to, minor, feeLimitMax }),
    broadcast: (transfer) => broadcast(node, transfer),
    async outcome(txHash) {
      // First the block, then the look-up: what is not there later was not there at that block.
      const through = await solidBlockAgo(node, replicaLagBlocks)
      const info = await node.ask('solid', 'gettransactioninfobyid', { value: txHash }, InfoOrEmpty)
      if (!info) return { type: 'absent', through }
      if (info.id !== txHash) throw new Unavailable('chain', `${info.id} was told for ${txHash}`)
      return { type: movedToken(info, token) ? 'confirmed' : 'failed' }
    },
  }
}

async function solidBlockAgo(node: TronNode, blocks: number): Promise<BlockRef> {
  const header = async (which: object) => {
    const found = await node.ask('solid', 'getblock', { ...which, detail: false }, HeaderOrEmpty)
    if (!found) throw new Unavailable('chain', 'a solid block is not told')
    return found
  }
  const newest = await header({})
  const number = Math.max(0, newest.number - blocks)
  const { id, at, ...found } = await header({ id_or_num: String(number) })
  if (found.number !== number)
    throw new Unavailable('chain', `block ${found.number} was told for ${number}`)
  return { number, id, at }
}

const Answer = z.object({
  result: z.boolean().default(false),
  code: z.string().optional(),
  txid: z.string().optional(),
  /** Text in hex. */
  message: z.string().default(''),
})

/** The node has it, or says so: the same id is on its chain, waits there, or was just refused. */
const duplicate = 'DUP_TRANSACTION_ERROR'

/** These bytes will not be taken as things are. No proof that they never were. */
const final: ReadonlySet<string> = new Set([
  'SIGERROR',
  'CONTRACT_VALIDATE_ERROR',
  'CONTRACT_EXE_ERROR',
  'BANDWITH_ERROR', // Tron's own spelling.
  'TOO_BIG_TRANSACTION_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
])

/** Any other code, known or not, may pass: busy, not connected, another fork. */
async function broadcast(
  node: TronNode,
  { txHash, bytes }: SignedTransfer,
): Promise<'accepted' | 'stopped'> {
  const answer = await node.ask('head', 'broadcasttransaction', bytes, Answer)
  const { result, code = '', txid = txHash, message } = answer
  if (txid !== txHash) throw new Unavailable('chain', `${txid} was told for ${txHash}`)
  if (result || code === duplicate) return 'accepted'
  if (final.has(code)) return 'stopped'
  throw new Unavailable('chain', `${code} ${Buffer.from(message, 'hex').toString()}`)
}
