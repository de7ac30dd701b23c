import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { payoutMessages } from '@quipu/core/adapter'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { someQr } from '../../fixtures/builders.ts'
import { expectEventOf, expectEventTypes } from '../../fixtures/events-about.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'

export function insertEndedPayoutTests(open: OpenHarness<Needed>): void {
  describe('inserting an ended payout', () => {
    const w = useWorld(open)

    test('stores a cancelled payout with its event, and changes neither quote nor wallet', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const quote = await w.newQuote(tenantId, { source: usdt(30n) })
      const write = w.insertEndedCommit(quote, { fingerprint: 'v1:refused' })
      const { payout } = write.step

      expect(await w.payouts.commit(write)).toBe('committed')

      expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout)
      const ageMs: unknown = expect.any(Number)
      const known = { payout, fingerprint: 'v1:refused', leased: false, ageMs }
      expect(await w.payouts.find(tenantId, payout.transactionId)).toEqual(known)
      const view = { quote, status: 'open', payoutId: null }
      expect(await w.quotes.find(tenantId, quote.id)).toEqual(view)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 100n, held: 0n })
      await expectEventOf(w, write)
    })

    test('stores a rejected payout without QR and event', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const write = w.insertEndedCommit(await w.newQuote(tenantId), { code: 'QR_REFUSED' })
      const { payout } = write.step
      expect(await w.payouts.commit(write)).toBe('committed')
      const stored = await w.payouts.get(tenantId, payout.id)
      expect(stored).toEqual(payout)
      expect(stored).toMatchObject({ qr: null, error: { message: payoutMessages.QR_REFUSED } })
      await expectEventTypes(w, tenantId, payout.id, [])
    })

    test('a used transaction_id is stale and adds no payout and no event', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const quote = await w.newQuote(tenantId)
      const first = w.insertEndedCommit(quote, { transactionId: 'same' })
      const second = w.insertEndedCommit(quote, { transactionId: 'same', code: 'QUOTE_EXPIRED' })
      expect(await w.payouts.commit(first)).toBe('committed')
      expect(await w.payouts.commit(first)).toBe('stale')
      expect(await w.payouts.commit(second)).toBe('stale')
      expect(await w.payouts.commit(w.acceptCommit(quote, { transactionId: 'same' }))).toBe('stale')
      const { items } = await w.payouts.list(tenantId, { limit: 100 })
      expect(items).toEqual([first.step.payout])
      expect((await w.quotes.find(tenantId, quote.id))?.status).toBe('open')
      await expectEventTypes(w, tenantId, second.step.payout.id, [])
      await expectEventOf(w, first)
    })

    test('stores the target and QR as read when the amount differs from the quote’s', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const quote = await w.newQuote(tenantId)
      const write = w.insertEndedCommit(quote, { code: 'QUOTE_AMOUNT_MISMATCH' })
      const target = { currency: 'BOB', minor: 30_001n } as const
      const payout = { ...write.step.payout, target }
      expect(await w.payouts.commit({ ...write, step: { ...write.step, payout } })).toBe('committed')
      expect(await w.payouts.get(tenantId, payout.id)).toMatchObject({ target, qr: someQr })
    })
  })
}
