import { type ChainReader, Unavailable } from '@quipu/core'
import type { ChainAccount, ChainBlock, BlockRef, TokenState, ChainView } from '@quipu/core/adapter'
import { readAddress } from '../address/address.ts'
import { BlockOrEmpty, type Header, HeaderOrEmpty, PlaceOrEmpty } from './block-answers.ts'
import { decodeBlock } from './decode-block.ts'
import { infoReader, type ReadInfos } from './info-reader.ts'
import { accountWord, readNumber } from '../token/token-calls.ts'
import type { TronNode } from '../node/tron-node.ts'

/** The node and the token contract whose transfers are read. */
export type TronChainReaderOptions = {
  readonly node: TronNode
  /** `T…` */
  readonly tokenContract: string
  /** Accounts that the operator blocks, in addition to the token's blacklist. */
  readonly blocked?: ReadonlySet<ChainAccount>
}

/** Number of reads of an incomplete block before `Unavailable`. */
const readsMax = 4

/**
 * Reads blocks, and the transfers of the token in them.
 *
 * @throws TypeError on an invalid contract address
 */
export function tronChainReader(options: TronChainReaderOptions): ChainReader {
  const { node, blocked = new Set() } = options
  const contract = readAddress(options.tokenContract)
  const header = (view: ChainView, which: object): Promise<Header | undefined> =>
    node.request(view, 'getblock', { ...which, detail: false }, HeaderOrEmpty)
  const flag = async (method: string, words: readonly string[] = []): Promise<boolean> => {
    const value = await readNumber(node, 'solid', { contract, method, words })
    return value !== undefined && value !== 0n
  }
  const readInfos = infoReader(node, contract)
  const tokenState = shared(() => readTokenState(flag))
  return {
    chain: 'tron',
    async head(view) {
      const found = await header(view, {})
      if (!found) throw new Unavailable('chain', `the node has no ${view} block`)
      return refOf(found)
    },
    async ref(view, number) {
      const found = await header(view, { id_or_num: String(number) })
      return found && refOf(withNumber(found, number))
    },
    block: (view, number) => readBlock(node, readInfos, view, number),
    async blockOf(txHash) {
      const body = { value: txHash }
      const place = await node.request('solid', 'gettransactioninfobyid', body, PlaceOrEmpty)
      if (place !== undefined && place.id !== txHash)
        throw new Unavailable('chain', `the node answered ${place.id} for ${txHash}`)
      return place?.blockNumber
    },
    tokenState,
    isBlocked: async (account) =>
      blocked.has(account) || (await flag('isBlackListed(address)', [accountWord(account)])),
  }
}

const refOf = ({ number, id, at }: Header): BlockRef => ({ number, id, at })

function withNumber(header: Header, number: number): Header {
  if (header.number === number) return header
  throw new Unavailable('chain', `the node answered block ${header.number} for ${number}`)
}

async function readBlock(
  node: TronNode,
  readInfos: ReadInfos,
  view: ChainView,
  num: number,
): Promise<ChainBlock | undefined> {
  for (let read = 1; ; read++) {
    const answer = await node.request(view, 'getblockbynum', { num }, BlockOrEmpty)
    if (!answer) return undefined
    withNumber(answer.header, num)
    const infos = await readInfos(view, answer)
    const block = decodeBlock(answer, infos)
    if (block) return block
    if (read >= readsMax)
      throw new Unavailable(
        'chain',
        `block ${num}: the ${infos.length} infos do not match its ${answer.transactions.length} transactions`,
      )
    await node.backOff(read)
  }
}

/** Missing functions count as false, because test tokens lack them. */
async function readTokenState(flag: (method: string) => Promise<boolean>): Promise<TokenState> {
  const [isPaused, isDeprecated, hasRate, hasMaximum] = await Promise.all(
    ['paused()', 'deprecated()', 'basisPointsRate()', 'maximumFee()'].map((name) => flag(name)),
  )
  if (isPaused) return 'paused'
  if (isDeprecated) return 'deprecated'
  return hasRate && hasMaximum ? 'charges_fee' : 'normal' // The fee is the rate, at most the maximum.
}

/** Concurrent calls share one request, because many deposits are settled at once. */
function shared<T>(request: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () =>
    (running ??= request().finally(() => {
      running = undefined
    }))
}
