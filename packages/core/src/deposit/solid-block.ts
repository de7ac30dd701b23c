import type { ChainBlock, ChainReader } from '../chain/chain.ts'

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
