import type { Chain } from '../chain/chain.ts'
import type { Transaction } from '../transaction/transaction.ts'
import type { View } from '../chain/view.ts'

/** A request of an endpoint. */
export type NodeRequest = {
  /** The chain at the newest block, or at the solid one under `walletsolidity/`. */
  readonly view: View
  /** The JSON body, or the query as an object; addresses are `41…` in hex. */
  readonly body: unknown
}

/** Chain and clock of the node. */
export type NodeContext = {
  readonly chain: Chain
  /** The node's clock, in ms. */
  now(): number
  /** Whether the node remembers a broadcast of this transaction, which it then remembers. */
  isRepeated(txid: string): boolean
  /** Adds a pending transaction. */
  accept(tx: Transaction): void
}

export type Endpoint = (ledger: NodeContext, asked: NodeRequest) => unknown
