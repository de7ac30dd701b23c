import { Unavailable } from '@quipu/core'
import type { ChainAccount } from '@quipu/core/adapter'
import type { BalanceReader } from '@quipu/core/operator'
import { readAddress } from '../address/address.ts'
import type { TronNode } from '../node/tron-node.ts'
import { accountWord, readNumber } from '../token/token-calls.ts'
import { replicaLagMax, solidBlockAgo } from './solid-block.ts'

/** The node and the token contract whose balances are read. */
export type TronBalanceReaderOptions = {
  readonly node: TronNode
  /** `T…` */
  readonly tokenContract: string
  /** Maximum lag between replicas behind the solidity node's URL, in blocks; one minute by default. */
  readonly replicaLagBlocks?: number
}

/** Requests under way at the same time; the node's rate limit applies too. */
const concurrency = 16

/**
 * Reads `balanceOf` at the solidity node: one request an account, as nodes offer no call at a given block. An account
 * whose request fails is `unread`; the node is unavailable when as many fail in a row as are under way.
 */
export function tronBalanceReader(options: TronBalanceReaderOptions): BalanceReader {
  const { node, replicaLagBlocks = replicaLagMax } = options
  const contract = readAddress(options.tokenContract)
  const balanceOf = async (account: ChainAccount): Promise<bigint> => {
    const words = [accountWord(account)]
    const balance = await readNumber(node, 'solid', { contract, method: 'balanceOf(address)', words })
    if (balance === undefined) throw new Unavailable('chain', 'the token answered no balance')
    return balance
  }
  return {
    async tokenBalances(accounts) {
      const { number: from } = await solidBlockAgo(node, replicaLagBlocks)
      const balances = new Map<ChainAccount, bigint>()
      const unread: ChainAccount[] = []
      const waiting = Array.from(new Set(accounts))
      let failedInRow = 0
      const readAll = async (): Promise<void> => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
          try {
            balances.set(next, await balanceOf(next))
            failedInRow = 0
          } catch (error) {
            unread.push(next)
            if (!(error instanceof Unavailable) || ++failedInRow >= concurrency) throw error
          }
      }
      await Promise.all(Array.from({ length: concurrency }, readAll))
      const { number } = await solidBlockAgo(node, 0)
      return { from, through: number + replicaLagBlocks, balances, unread }
    },
  }
}
