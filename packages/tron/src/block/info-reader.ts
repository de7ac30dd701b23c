import type { ChainAccount, ChainView } from '@quipu/core/adapter'
import type { TronNode } from '../node/tron-node.ts'
import { type BlockAnswer, HeaderOrEmpty, InfoOrEmpty, Infos } from './block-answers.ts'
import { type DecodedInfo, decodeInfo } from './decode-block.ts'

/**
 * The receipts of a block's transactions, as far as the node has them. They name a height and no block, so the
 * caller compares them with the block.
 *
 * @throws Unavailable when the node gives no valid answer; what was read of a large block is kept
 */
export type ReadInfos = (view: ChainView, block: BlockAnswer) => Promise<readonly DecodedInfo[]>

/** Receipts of a block that are larger together are read one by one. Those of a full block of mainnet have 1 MB. */
const togetherBytesMax = 16 * 1024 * 1024

/**
 * Reads the receipts of any valid block. Anyone can write a block whose receipts have a hundred megabytes, because
 * logs do not count for its size. Their node builds such an answer in memory, so it is asked for once; then the
 * receipts are read one by one, one request at a time for all large blocks.
 */
export function infoReader(node: TronNode, token: ChainAccount): ReadInfos {
  const inTurn = turns()
  const large = largeBlocks()
  /** By block id. */
  const asking = new Map<string, Promise<unknown>>()
  const together = async (
    view: ChainView,
    { id, number: num }: BlockAnswer['header'],
  ): Promise<readonly DecodedInfo[] | undefined> => {
    const path = 'gettransactioninfobyblocknum'
    const infos = await node.requestOnce(view, path, { num }, Infos, togetherBytesMax)
    if (!infos) large.add(id)
    return infos?.map((info) => decodeInfo(info, token))
  }
  return async (view, block) => {
    const { header, transactions } = block
    if (transactions.length === 0) return []
    await asking.get(header.id)?.catch(() => undefined) // Both scans read the newest blocks.
    if (!large.has(header.id)) {
      const asked = together(view, header)
      asking.set(header.id, asked)
      const infos = await asked.finally(() => asking.delete(header.id))
      if (infos) return infos
    }
    return inTurn(() => readEach(node, token, view, block, large.partsOf(view, header.id)))
  }
}

type Parts = Map<string, DecodedInfo>

/** Adds the missing receipts to `parts`, up to the first that the node does not have at this height. */
async function readEach(
  node: TronNode,
  token: ChainAccount,
  view: ChainView,
  { header, transactions }: BlockAnswer,
  parts: Parts,
): Promise<readonly DecodedInfo[]> {
  const missing = transactions.filter(({ txID }) => !parts.has(txID))
  for (const { txID } of missing) {
    const info = await node.request(view, 'gettransactioninfobyid', { value: txID }, InfoOrEmpty)
    if (info?.id !== txID || info.blockNumber !== header.number) break
    parts.set(txID, decodeInfo(info, token))
  }
  if (missing.length > 0 && !(await isCurrent(node, view, header))) parts.clear()
  return transactions.flatMap(({ txID }) => parts.get(txID) ?? [])
}

/** Whether no fork has replaced the block while its receipts were read. */
async function isCurrent(node: TronNode, view: ChainView, { number, id }: BlockAnswer['header']): Promise<boolean> {
  const which = { id_or_num: String(number), detail: false }
  return (await node.request(view, 'getblock', which, HeaderOrEmpty))?.id === id
}

/** Both scans and the settlements of deposits read the newest blocks. */
const largeBlocksMax = 64

/** The newest blocks that were too large, and what was read of them, so that a reading that fails is continued. */
function largeBlocks(): {
  has(id: string): boolean
  add(id: string): void
  partsOf(view: ChainView, id: string): Parts
} {
  const blocks = new Map<string, Record<ChainView, Parts>>()
  const entryOf = (id: string): Record<ChainView, Parts> => {
    const entry = blocks.get(id) ?? { head: new Map(), solid: new Map() }
    blocks.set(id, entry)
    for (const oldest of blocks.keys()) if (blocks.size > largeBlocksMax) blocks.delete(oldest)
    return entry
  }
  return { has: (id) => blocks.has(id), add: (id) => void entryOf(id), partsOf: (view, id) => entryOf(id)[view] }
}

/** Runs one work at a time, in the order of the calls. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
