import { expect } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from './faulty-proxy.fixture.ts'
import { type Payout, type PayoutRequest, type Quipu, quipu } from './index.ts'

/** An API with a wallet that holds some 100 USDT, and its sandbox. */
export type Target = { readonly baseUrl: string; readonly apiKey: string }

/** An API that is reached directly, and through a network that fails. */
export type FaultyWorld = AsyncDisposable & {
  readonly proxy: FaultyProxy
  readonly direct: Quipu
  readonly faulty: Quipu
  /** A payment that has yet to be asked for. */
  order(scenario?: 'paid' | 'late' | 'refused'): Promise<PayoutRequest>
  /** That this is the one payment of its `transaction_id`, and that it was debited once. */
  expectPaidOnce(request: PayoutRequest, payout: Payout): Promise<void>
}

export async function openFaultyWorld(target: Target): Promise<FaultyWorld> {
  const proxy = await openFaultyProxy(target.baseUrl)
  const direct = quipu(target)
  const hasty = { attemptTimeoutMs: 1_000, retryDelayMs: 1, retries: 8 }
  return {
    proxy,
    direct,
    faulty: quipu({ ...target, ...hasty, baseUrl: proxy.url }),
    async order(scenario = 'paid') {
      const amount = '1.00'
      const qr = await direct.sandbox.createQrCode({ amount_mode: 'closed', amount, scenario })
      const quote = await direct.quotes.create({ target: { currency: 'BOB', amount } })
      const transaction_id = crypto.randomUUID()
      return { transaction_id, type: 'qr', quote_id: quote.id, qr: { content: qr.content } }
    },
    async expectPaidOnce({ transaction_id }, payout) {
      expect(payout).toMatchObject({ transaction_id, status: 'completed' })
      expect((await direct.payouts.list({ transaction_id }).page()).data).toEqual([payout])
      const rows = []
      for await (const row of direct.wallets.transactions({ type: 'payout', limit: 100 })) {
        if (row.transaction_id === transaction_id) rows.push(row)
      }
      expect(rows).toMatchObject([{ payout_id: payout.id, amount: payout.source?.amount }])
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
