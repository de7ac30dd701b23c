import type { Chain, ChainView } from './deposit/chain.ts'

/** What waits: how many, counted up to `backlogCountMax`, and for how long the oldest has; 0 when none does. */
export type BacklogCount = { readonly count: number; readonly oldestSeconds: number }

/**
 * What keeps a due delivery: in `fast` nothing but workers, in `slow` a receiver that failed or took
 * long when it was last asked, and in `catching_up` the pace at which a reactivated endpoint is sent.
 */
export type DeliveryPace = 'fast' | 'slow' | 'catching_up'
export const deliveryPaces: readonly DeliveryPace[] = ['fast', 'slow', 'catching_up']

/** A larger number of things is told as this one: to count a backlog must not cost more for its size. */
export const backlogCountMax = 10_000

/** What waits, of all tenants, by the store's clock: for whoever watches over the service. */
export type Backlog = {
  /** In `processing`, since they were applied. */
  readonly payouts: BacklogCount
  /** Of active endpoints, due and with no worker or queue, since they were due. */
  readonly deliveries: Readonly<Record<DeliveryPace, BacklogCount>>
  readonly pausedEndpoints: number
  /** In review and not closed. */
  readonly depositsInReview: number
  /** What the check of the ledger has found and is still so; and how long ago it last came by every wallet. */
  readonly ledger: { readonly differences: number; readonly uncheckedSeconds: number }
  /** How old the block is that each scan has come to; none of a scan without a block. */
  readonly scans: readonly {
    readonly chain: Chain
    readonly view: ChainView
    readonly behindSeconds: number
  }[]
}

export type BacklogStore = {
  read(): Promise<Backlog>
}
