import type { Chain } from '../chain/chain.ts'
import type { Transaction } from '../transaction/transaction.ts'
import type { View } from '../chain/view.ts'

/** A request as an endpoint sees it. */
export type Asked = {
  /** What it is about: from the newest block, or from the solid one under `walletsolidity/`. */
  readonly view: View
  readonly solid: boolean
  /** The members of the JSON body, or of the query. */
  readonly body: unknown
  /** Whether addresses are `T…`, both ways. */
  readonly visible: boolean
}

/** What every endpoint works on. */
export type Ledger = {
  readonly chain: Chain
  /** The node's own clock, in ms. */
  now(): number
  /** Takes a transaction into the pending ones. */
  accept(tx: Transaction): void
}

export type Endpoint = (ledger: Ledger, asked: Asked) => unknown
