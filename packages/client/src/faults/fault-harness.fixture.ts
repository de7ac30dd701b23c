import { expect } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from './faulty-proxy.fixture.ts'
import { type Payout, type PayoutRequest, type Quipu, quipu } from '../index.ts'

/** A sandbox API whose wallet has about 100 USDT. */
export type Target = {
  readonly baseUrl: string
  readonly apiKey: string
  /** How often the QR network has paid for a payout, if its records are accessible. */
  timesPaid?(payoutId: string): Promise<number>
}

/** Clients of one API: directly, and through a faulty proxy. */
export type FaultHarness = AsyncDisposable & {
  readonly proxy: FaultyProxy
  readonly direct: Quipu
  readonly faulty: Quipu
  /** Prepares a payment that has not been requested yet. */
  order(scenario?: 'paid' | 'late' | 'refused'): Promise<PayoutRequest>
  /** Asserts that this is the only payment of its `transaction_id`, and that it was debited once. */
  expectPaidOnce(request: PayoutRequest, payout: Payout): Promise<void>
  /** Asserts that the wallet was debited exactly the payouts since this harness was opened. */
  expectBalanced(): Promise<void>
}

export async function openFaultHarness(target: Target): Promise<FaultHarness> {
  const proxy = await openFaultyProxy(target.baseUrl)
  const direct = quipu(target)
  const before = await snapshotOf(direct)
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
      await proxy.settled()
      expect(payout).toMatchObject({ transaction_id, status: 'completed' })
      expect((await direct.payouts.list({ transaction_id }).page()).data).toEqual([payout])
      const rows = []
      for await (const row of direct.wallets.transactions({ type: 'payout', limit: 100 })) {
        if (row.transaction_id === transaction_id) rows.push(row)
      }
      expect(rows).toMatchObject([{ payout_id: payout.id, amount: payout.source?.amount }])
      if (target.timesPaid) expect(await target.timesPaid(payout.id)).toBe(1)
    },
    async expectBalanced() {
      await proxy.settled()
      let spent = 0n
      for await (const payout of direct.payouts.list({ limit: 100 })) {
        if (!before.payouts.has(payout.id)) spent += micro(payout.source?.amount ?? '0')
      }
      expect(spent).toBeGreaterThan(0n)
      const { total, held } = await direct.wallets.get()
      expect({ held, spent: before.total - micro(total) }).toEqual({ held: '0.000000', spent })
      expect(await direct.wallets.reconciliation()).toMatchObject({ balanced: true })
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

async function snapshotOf({ wallets, payouts }: Quipu) {
  const made = new Set<string>()
  for await (const { id } of payouts.list({ limit: 100 })) made.add(id)
  return { payouts: made, total: micro((await wallets.get()).total) }
}

/** Micro-USDT of a decimal with at most six places. */
function micro(decimal: string): bigint {
  const [whole = '', places = ''] = decimal.split('.')
  return BigInt(whole + places.padEnd(6, '0'))
}
