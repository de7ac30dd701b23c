import { type ChainReader, Unavailable } from '@quipu/core'
import type { ChainAccount, ChainBlock, BlockRef, TokenState, ChainView } from '@quipu/core/adapter'
import { readAddress } from '../address/address.ts'
import { BlockOrEmpty, type Header, HeaderOrEmpty, Infos } from './block-answers.ts'
import { decodeBlock } from './decode-block.ts'
import { accountWord, readNumber } from '../transfer/token-calls.ts'
import type { TronNode } from '../node/tron-node.ts'

export type TronChainReaderOptions = {
  readonly node: TronNode
  /** `T…` */
  readonly tokenContract: string
  /** Accounts that the operator blocks besides those that the token's issuer does. */
  readonly blocked?: ReadonlySet<ChainAccount>
}

/** How often an incomplete block is read before the reader gives up. */
const readsMax = 4

export function tronChainReader(options: TronChainReaderOptions): ChainReader {
  const { node, blocked = new Set() } = options
  const contract = readAddress(options.tokenContract)
  const header = (view: ChainView, which: object): Promise<Header | undefined> =>
    node.ask(view, 'getblock', { ...which, detail: false }, HeaderOrEmpty)
  const flag = async (method: string, words: readonly string[] = []): Promise<boolean> => {
    const value = await readNumber(node, 'solid', { contract, method, words })
    return value !== undefined && value !== 0n
  }
  const tokenState = shared(() => readTokenState(flag))
  return {
    chain: 'tron',
    async head(view) {
      const found = await header(view, {})
      if (!found) throw new Unavailable('chain', `there is no ${view} block`)
      return refOf(found)
    },
    async ref(view, number) {
      const found = await header(view, { id_or_num: String(number) })
      return found && refOf(numbered(found, number))
    },
    block: (view, number) => readBlock(node, contract, view, number),
    tokenState,
    isBlocked: async (account) =>
      blocked.has(account) || (await flag('isBlackListed(address)', [accountWord(account)])),
  }
}

const refOf = ({ number, id, at }: Header): BlockRef => ({ number, id, at })

function numbered(header: Header, number: number): Header {
  if (header.number === number) return header
  throw new Unavailable('chain', `block ${header.number} was told for ${number}`)
}

/**
 * The infos are asked for after the block: an empty one needs none, which is half the requests on a
 * quiet chain. Who reads many blocks reads several at once.
 */
async function readBlock(
  node: TronNode,
  token: ChainAccount,
  view: ChainView,
  num: number,
): Promise<ChainBlock | undefined> {
  for (let read = 1; ; read++) {
    const answer = await node.ask(view, 'getblockbynum', { num }, BlockOrEmpty)
    if (!answer) return undefined
    numbered(answer.header, num)
    const infos =
      answer.transactions.length === 0
        ? []
        : await node.ask(view, 'gettransactioninfobyblocknum', { num }, Infos)
    const block = decodeBlock(answer, infos, token)
    if (block) return block
    if (read >= readsMax)
      throw new Unavailable(
        'chain',
        `block ${num}: ${infos.length} infos are not those of its ${answer.transactions.length} transactions`,
      )
    await node.backOff(read)
  }
}

/** A token that has no such function, as test tokens do not, is in its normal state. */
async function readTokenState(flag: (method: string) => Promise<boolean>): Promise<TokenState> {
  const [isPaused, isDeprecated, hasRate, hasMaximum] = await Promise.all(
    ['paused()', 'deprecated()', 'basisPointsRate()', 'maximumFee()'].map((name) => flag(name)),
  )
  if (isPaused) return 'paused'
  if (isDeprecated) return 'deprecated'
  return hasRate && hasMaximum ? 'charges_fee' : 'normal' // It takes the rate, and at most the maximum.
}

/** Who asks while an answer is under way gets the same: many deposits are settled at once. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined
  return () =>
    (asking ??= ask().finally(() => {
      asking = undefined
    }))
}
