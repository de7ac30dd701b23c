import { hash, randomBytes } from 'node:crypto'
import type { ChainDriver } from '@quipu/contracts'
import type { ChainAccount, ChainView } from '@quipu/core/adapter'
import { systemTimer } from '@quipu/core/system'
import { z } from 'zod'
import { readAddress, toHexAddress } from './address/address.ts'
import { InfoOrEmpty } from './block/block-answers.ts'
import { tronChainReader } from './block/chain-reader.ts'
import { type TronNode, tronNode, type TronNodeOptions } from './node/tron-node.ts'
import { tronSweepChain } from './sweep/sweep-chain.ts'
import { tronBroadcaster } from './transfer/broadcaster.ts'
import { localDigestSigner, signDigest } from './transfer/digest-signer.ts'
import { accountWord } from './token/token-calls.ts'
import { tronTransferSigner } from './transfer/transfer-signer.ts'

export type NodeDriverOptions = Pick<TronNodeOptions, 'url' | 'solidUrl' | 'requestsPerSecond'> & {
  /** `T…`; with Tether's functions. */
  readonly tokenContract: string
  /** 64 hex digits: of the token's owner, who has TRX and tokens. */
  readonly ownerKey: string
  /** Lets the chain go on by a block. */
  readonly nextBlock: () => Promise<void>
  readonly fork?: (txHash: string) => Promise<void>
  readonly close: () => Promise<void>
}

const Built = z.object({ transaction: z.looseObject({ txID: z.string() }) })
const Sent = z.object({ result: z.boolean().default(false), code: z.string().optional() })

/** Drives a chain by the requests that any node takes. */
export function nodeDriver(options: NodeDriverOptions): ChainDriver {
  const { tokenContract, nextBlock, fork } = options
  const node = tronNode({ requestsPerSecond: 50, ...options, timer: systemTimer })
  const owner = localDigestSigner(options.ownerKey)
  const token = readAddress(tokenContract)
  const signer = tronTransferSigner({ tokenContract, signer: owner })
  const until = async (view: ChainView, txHash: string): Promise<number> => {
    for (;;) {
      const body = { value: txHash }
      const info = await node.request(view, 'gettransactioninfobyid', body, InfoOrEmpty)
      if (info) return info.blockNumber
      await nextBlock()
    }
  }
  /** Calls a function of the token as its owner, and waits until that is solid. */
  const call = async (method: string, words: readonly string[] = []): Promise<void> => {
    const txHash = await callByOwner(node, signer.account, token, method, words, (digest) => signDigest(owner, digest))
    await until('solid', txHash)
  }
  return {
    reader: tronChainReader({ node, tokenContract }),
    broadcaster: tronBroadcaster({ node, tokenContract, replicaLagBlocks: 1 }),
    sweeps: tronSweepChain({ node, tokenContract, replicaLagBlocks: 1 }),
    signer,
    tokenContract: token,
    signOffline: (rawHex) => signDigest(owner, hash('sha256', Buffer.from(rawHex, 'hex'), 'buffer')),
    newAccount: () => randomBytes(20).toString('hex'),
    until,
    setBlacklisted: (account, isListed) =>
      call(isListed ? 'addBlackList(address)' : 'removeBlackList(address)', [accountWord(account)]),
    setPaused: (isPaused) => call(isPaused ? 'pause()' : 'unpause()'),
    ...(fork && { fork }),
    async close() {
      await node.stop()
      await options.close()
    },
  }
}

/** @returns the id of the transaction */
async function callByOwner(
  node: TronNode,
  owner: ChainAccount,
  contract: ChainAccount,
  method: string,
  words: readonly string[],
  sign: (digest: Uint8Array) => Promise<string>,
): Promise<string> {
  const body = {
    owner_address: toHexAddress(owner),
    contract_address: toHexAddress(contract),
    function_selector: method,
    parameter: words.join(''),
    fee_limit: 100_000_000,
  }
  const { transaction } = await node.request('head', 'triggersmartcontract', body, Built)
  const signature = [await sign(Buffer.from(transaction.txID, 'hex'))]
  const signed = { ...transaction, signature }
  const { result, code } = await node.request('head', 'broadcasttransaction', signed, Sent)
  if (!result) throw new Error(`${method} was refused: ${code}`)
  return transaction.txID
}
