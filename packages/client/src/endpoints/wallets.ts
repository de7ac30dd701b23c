import type {
  GetStatementQuery,
  GetWalletQuery,
  ListWalletTransactionsQuery,
  ListStatementsQuery,
  Reconciliation,
  Statement,
  StatementSummaryPage,
  Wallet,
  WalletPatch,
  WalletTransactionPage,
} from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** The balance that payouts are paid from. */
export type Wallets = {
  /**
   * Reads the balance and the top-up address, which the first call creates.
   *
   * @param query  `at`: the instant of `balance_at`, in ISO 8601 with a zone
   */
  get(query?: GetWalletQuery, options?: CallOptions): Promise<Wallet>
  /** Sets the available USDT below which `wallet.balance_low` is sent; `0` removes the threshold. */
  update(patch: WalletPatch, options?: CallOptions): Promise<Wallet>
  /** Movements of money, newest first. */
  transactions(query?: ListWalletTransactionsQuery, options?: CallOptions): Pages<WalletTransactionPage>
  /** Statements of days without their transactions, newest first. */
  statements(query?: ListStatementsQuery, options?: CallOptions): Pages<StatementSummaryPage>
  /**
   * The statement of a month or a day: its transactions, oldest first, and the balances before and after them.
   *
   * @param period  `2026-11` or `2026-11-20`, in the `timezone` of the query: UTC, unless it says another one
   */
  statement(
    period: string,
    query?: Pick<GetStatementQuery, 'timezone' | 'limit' | 'cursor'>,
    options?: CallOptions,
  ): Pages<Statement>
  /**
   * The whole statement as CSV: a row `opening`, its transactions, a row `closing`. A text that was cut off is read
   * again.
   */
  statementCsv(period: string, query?: Pick<GetStatementQuery, 'timezone'>, options?: CallOptions): Promise<string>
  /** Compares the balance with the sum of all movements of money. */
  reconciliation(options?: CallOptions): Promise<Reconciliation>
}

const csv = { mediaType: 'text/csv', whole: /(?:^|\n)closing,[^\n]*\n$/ }

export const wallets = (send: Send): Wallets => ({
  get: (query = {}, options = {}) => send('getWallet', { query }, options),
  update: (body, options) => send('updateWallet', { body }, options),
  transactions: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listWalletTransactions', { query: { ...query, cursor } }, options)),
  statements: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listStatements', { query: { ...query, cursor } }, options)),
  statement: (period, query = {}, options = {}) =>
    pages((cursor = query.cursor) =>
      send('getStatement', { params: { period }, query: { ...query, cursor } }, options),
    ),
  statementCsv: async (period, { timezone } = {}, options = {}) => {
    const input = { params: { period }, query: { timezone, format: 'csv' as const } }
    return (await send('getStatement', input, { ...options, text: csv })) as unknown as string
  },
  reconciliation: (options) => send('reconcileWallet', {}, options),
})
