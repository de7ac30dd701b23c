import type {
  ListWalletTransactionsQuery,
  Reconciliation,
  Wallet,
  WalletTransactionPage,
} from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** The balance that payouts are paid from. */
export type Wallets = {
  /** The balance, and where to send USDT to: the address is made when it is first asked for. */
  get(options?: CallOptions): Promise<Wallet>
  /** What came in and went out, newest first. */
  transactions(
    query?: ListWalletTransactionsQuery,
    options?: CallOptions,
  ): Pages<WalletTransactionPage>
  /** The balance, summed anew from every movement of money. */
  reconciliation(options?: CallOptions): Promise<Reconciliation>
}

export const wallets = (send: Send): Wallets => ({
  get: (options) => send('getWallet', {}, options),
  transactions: (query = {}, options = {}) =>
    pages((cursor = query.cursor) =>
      send('listWalletTransactions', { query: { ...query, cursor } }, options),
    ),
  reconciliation: (options) => send('reconcileWallet', {}, options),
})
