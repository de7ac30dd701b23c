import type { Deposit, DepositPage, ListDepositsQuery } from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** Transfers to the wallet's top-up address. */
export type Deposits = {
  /** Newest first. */
  list(query?: ListDepositsQuery, options?: CallOptions): Pages<DepositPage>
  get(id: string, options?: CallOptions): Promise<Deposit>
}

export const deposits = (send: Send): Deposits => ({
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listDeposits', { query: { ...query, cursor } }, options)),
  get: (id, options) => send('getDeposit', { params: { id } }, options),
})
