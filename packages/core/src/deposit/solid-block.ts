import type { ChainBlock, ChainReader } from '../chain/chain.ts'

/** Blocks above the solid one that are searched: more than the chain's distance of solid blocks from the head. */
const unsolidMax = 40

/** The block above the solid ones that has the transaction, which a fork may revert; undefined when none has it. */
export async function unsolidBlockOf(
  reader: Pick<ChainReader, 'block' | 'head'>,
  txHash: string,
): Promise<ChainBlock | undefined> {
  const [{ number: newest }, { number: solid }] = [await reader.head('head'), await reader.head('solid')]
  for (let number = newest; number > solid && number > newest - unsolidMax; number--) {
    const block = await reader.block('head', number)
    if (block?.transactions.includes(txHash)) return block
  }
  return undefined
}

/**
 * The solid block that has the transaction; undefined when none has it.
 *
 * @throws Unavailable when the node does not answer
 */
export async function solidBlockOf(
  reader: Pick<ChainReader, 'block' | 'blockOf'>,
  txHash: string,
): Promise<ChainBlock | undefined> {
  const number = await reader.blockOf(txHash)
  return number === undefined ? undefined : reader.block('solid', number)
}
