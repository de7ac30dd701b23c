import {
  isBalanced,
  type PayoutCommitResult,
  ownerClaim,
  type ProcessingPayout,
} from '@quipu/core/adapter'
import { paidAnswer, type World } from '@quipu/contracts'

/** The network's answer. */
export type Answer = 'paid' | 'closed_unpaid'

export type Paying = {
  /** The price of a quote. */
  readonly price: bigint
  /** @returns the id of a quote that expires in an hour */
  quote(tenantId: string): Promise<string>
  /** Applies a payout, with a first lease of `leaseSeconds`. */
  apply(order: Order, leaseSeconds?: number): Promise<Result>
  /** Inserts a payout that ended before it was applied. */
  insertEnded(order: Order): Promise<Result>
  /** Settles a payout by the claim of the request that applied it. */
  settle(order: Order, answer: Answer): Promise<Result>
  /**
   * Claims due payouts as a worker. The result settles them as paid, and returns the result of each
   * `transaction_id`.
   */
  claimDue(): Promise<() => Promise<Record<string, Result>>>
  /** The payout as a repeated request finds it. */
  find(order: Order): Promise<PayoutSeen>
  wallet(tenantId: string): Promise<WalletSeen>
  /** The wallet's transactions, newest first. */
  transactions(tenantId: string): Promise<readonly string[]>
}

export type Order = {
  readonly tenantId: string
  readonly quoteId: string
  readonly transactionId: string
}

export type Result = PayoutCommitResult | 'unknown quote' | 'not in processing'

export type PayoutSeen = {
  readonly id: string | undefined
  readonly status: string | undefined
  readonly endedAt: string | undefined
  readonly fingerprint: string | undefined
  readonly quoteStatus: string | undefined
}

export type WalletSeen = {
  readonly available: bigint | undefined
  readonly held: bigint | undefined
  /** Whether the postings add up to the balance. */
  readonly isBalanced: boolean
}

export const paying = (w: World): Paying => ({ ...writing(w), ...reading(w) })

function writing(w: World): Omit<Paying, keyof ReturnType<typeof reading>> {
  const commit = async (write: Parameters<typeof w.payouts.commit>[0]): Promise<Result> => {
    const result = await w.payouts.commit(write)
    return typeof result === 'string' ? result : 'committed'
  }
  const settle = (payout: ProcessingPayout, answer: Answer, claim = ownerClaim(payout)) => {
    const final = answer === 'paid' ? paidAnswer(payout) : ({ type: 'cancelled' } as const)
    return commit(w.settleCommit(payout, final, { claim, at: new Date() }))
  }
  const quoteOf = async ({ tenantId, quoteId }: Order) =>
    (await w.quotes.find(tenantId, quoteId))?.quote

  return {
    price: 10_203_353n,
    quote: async (tenantId) => (await w.newQuote(tenantId, { lifeSeconds: 3_600 })).id,
    apply: async (order, leaseSeconds = 15) => {
      const quote = await quoteOf(order)
      const input = { transactionId: order.transactionId, createdAt: new Date(), leaseSeconds }
      return quote ? commit(w.applyCommit(quote, input)) : 'unknown quote'
    },
    insertEnded: async (order) => {
      const quote = await quoteOf(order)
      const input = { transactionId: order.transactionId, createdAt: new Date() }
      return quote ? commit(w.insertEndedCommit(quote, input)) : 'unknown quote'
    },
    settle: async ({ tenantId, transactionId }, answer) => {
      const payout = (await w.payouts.find(tenantId, transactionId))?.payout
      return payout?.status === 'processing' ? settle(payout, answer) : 'not in processing'
    },
    claimDue: async () => {
      const claimed = await w.payouts.claimDue(100, 15)
      return async () => {
        const results: Record<string, Result> = {}
        for (const { payout, claim } of claimed)
          results[payout.transactionId] = await settle(payout, 'paid', claim)
        return results
      }
    },
  }
}

function reading(w: World): Pick<Paying, 'find' | 'wallet' | 'transactions'> {
  return {
    find: async ({ tenantId, transactionId, quoteId }) => {
      const reading = 'confirmed'
      const found = await w.payouts.findForCreate(tenantId, transactionId, quoteId, reading)
      const payout = found.stored?.payout
      return {
        id: payout?.id,
        status: payout?.status,
        endedAt: payout && 'endedAt' in payout ? payout.endedAt.toISOString() : undefined,
        fingerprint: found.stored?.fingerprint,
        quoteStatus: found.quote?.status,
      }
    },
    wallet: async (tenantId) => {
      const books = await w.wallets.books(tenantId)
      return {
        available: books?.wallet.available.minor,
        held: books?.wallet.held.minor,
        isBalanced: books !== undefined && isBalanced(books.wallet, books.totals),
      }
    },
    transactions: async (tenantId) => {
      const { items } = await w.wallets.transactions(tenantId, { limit: 100 })
      return items.map(
        ({ id, type, amount, balanceAfter, transactionId, createdAt }) =>
          `${id} ${createdAt.toISOString()} ${type} ${amount.minor} ${balanceAfter.minor} ${transactionId}`,
      )
    },
  }
}
