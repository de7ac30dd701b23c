import { type Broadcaster, Unavailable } from '@quipu/core'
import type { SignedTransfer } from '@quipu/core/adapter'
import { z } from 'zod'
import { readAddress } from '../address/address.ts'
import { InfoOrEmpty } from '../block/block-answers.ts'
import { movedToken } from '../block/decode-block.ts'
import { replicaLagMax, solidBlockAgo } from '../block/solid-block.ts'
import { feeLimitFor, feeLimitMaxDefault } from './fee-limit.ts'
import { zeroAccount } from '../token/token-calls.ts'
import type { TronNode } from '../node/tron-node.ts'

/** The node, the token contract and the bounds of a broadcast. */
export type TronBroadcasterOptions = {
  readonly node: TronNode
  /** `T…` */
  readonly tokenContract: string
  /** Maximum fee limit of a transfer, in sun; 100 TRX by default. */
  readonly feeLimitMax?: bigint
  /**
   * Maximum lag between replicas behind the solidity node's URL, in blocks; one minute by default. An absent transaction is reported as of this many blocks ago.
   */
  readonly replicaLagBlocks?: number
}

/**
 * Broadcasts signed transfers, and finds what became of them.
 *
 * @throws TypeError on an invalid contract address
 */
export function tronBroadcaster(options: TronBroadcasterOptions): Broadcaster {
  const { node, feeLimitMax = feeLimitMaxDefault, replicaLagBlocks = replicaLagMax } = options
  const token = readAddress(options.tokenContract)
  return {
    canReceive: (account) => account !== zeroAccount && account !== token,
    prepare: (from, to, { minor }) => feeLimitFor(node, { token, from, to, minor, feeLimitMax }),
    broadcast: (transfer) => broadcast(node, transfer),
    async outcome(txHash) {
      // Read the block before the lookup: a transaction absent later was absent at that block.
      const through = await solidBlockAgo(node, replicaLagBlocks)
      const info = await node.request('solid', 'gettransactioninfobyid', { value: txHash }, InfoOrEmpty)
      if (!info) return { type: 'absent', through }
      if (info.id !== txHash) throw new Unavailable('chain', `the node answered ${info.id} for ${txHash}`)
      return { type: movedToken(info, token) ? 'confirmed' : 'failed' }
    },
  }
}

const Answer = z.object({
  result: z.boolean().default(false),
  code: z.string().optional(),
  txid: z.string().optional(),
  /** Hex-encoded text. */
  message: z.string().default(''),
})

/** The node has seen the same id: on its chain, pending, or recently refused (`node.rpc.trxCacheEnable`). */
const duplicate = 'DUP_TRANSACTION_ERROR'

/** The node refuses these bytes. That does not prove that they are never mined. */
const refusals: ReadonlySet<string> = new Set([
  'SIGERROR',
  'CONTRACT_VALIDATE_ERROR',
  'CONTRACT_EXE_ERROR',
  'BANDWITH_ERROR', // Spelled so by nodes.
  'TOO_BIG_TRANSACTION_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
  'TAPOS_ERROR', // The node may be on another fork, and accept the same bytes later.
])

/** Any other code comes before the node looks at the transfer: it is busy, or disconnected. */
async function broadcast(
  node: TronNode,
  { txHash, bytes }: SignedTransfer,
): Promise<'accepted' | 'duplicate' | 'stopped'> {
  const answer = await node.request('head', 'broadcasttransaction', bytes, Answer)
  const { result, code = '', txid = txHash, message } = answer
  if (txid !== txHash) throw new Unavailable('chain', `the node answered ${txid} for ${txHash}`)
  if (result) return 'accepted'
  if (code === duplicate) return 'duplicate'
  if (refusals.has(code)) return 'stopped'
  throw new Unavailable('chain', `${code} ${Buffer.from(message, 'hex').toString()}`)
}
