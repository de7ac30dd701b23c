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
  /** Reads the balance and the top-up address, which the first call creates. */
  get(options?: CallOptions): Promise<Wallet>
  /** Movements of money, newest first. */
  transactions(
    query?: ListWalletTransactionsQuery,
    options?: CallOptions,
  ): Pages<WalletTransactionPage>
  /** Compares the balance with the sum of all movements of money. */
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
