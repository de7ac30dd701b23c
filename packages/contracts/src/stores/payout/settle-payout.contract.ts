import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import type { FinalAnswer } from '@quipu/core/adapter'
import { paidAnswer } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { expectEventOf, expectEventTypes } from '../../fixtures/events-about.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'

const refusals: readonly FinalAnswer[] = [
  { type: 'refused_payment' },
  { type: 'refused_qr' },
  { type: 'no_liquidity' },
  { type: 'limit' },
  { type: 'not_sent', reason: 'connection refused' },
  { type: 'cancelled' },
]

export function settlePayoutTests(open: OpenHarness<Needed>): void {
  describe('settling', () => {
    const w = useWorld(open)

    async function processing(w: World<Needed>, source = 30n) {
      const tenantId = await w.newWallet(usdt(100n))
      return w.newPayout(await w.newQuote(tenantId, { source: usdt(source) }))
    }

    test('a paid payout captures exactly its hold, and its event is stored byte for byte', async () => {
      const payout = await processing(w)
      const { tenantId, id } = payout
      const write = w.settleCommit(payout, paidAnswer(payout), { at: new Date('2126-03-04T05:06:09.991Z') })

      expect(await w.payouts.commit(write)).toBe('committed')

      expect(await w.payouts.get(tenantId, id)).toEqual(write.step.payout)
      expect(await w.payouts.find(tenantId, payout.transactionId)).toMatchObject({ leased: false })
      expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 0n })
      const totals = { adjusted: usdt(100n), credited: usdt(0n), debited: usdt(30n), held: usdt(0n) }
      expect(await w.wallets.totals(tenantId)).toEqual(totals)
      await expectEventOf(w, write)
    })

    test('a reference that the network gave at pay replaces that of the reading', async () => {
      const payout = await processing(w)
      const { tenantId, id } = payout
      const write = w.settleCommit({ ...payout, networkRef: 'given-1' }, paidAnswer(payout))
      expect(await w.payouts.commit({ ...write, networkRef: 'given-1' })).toBe('committed')
      expect(await w.payouts.get(tenantId, id)).toEqual(write.step.payout)
      expect((await w.payouts.list(tenantId, { limit: 9 })).items).toMatchObject([{ networkRef: 'given-1' }])
    })

    for (const answer of refusals) {
      test(`a payout that ends with ${answer.type} releases its whole hold`, async () => {
        const payout = await processing(w)
        const { tenantId } = payout
        const write = w.settleCommit(payout, answer)
        expect(await w.payouts.commit(write)).toBe('committed')
        expect(await w.payouts.get(tenantId, payout.id)).toEqual(write.step.payout)
        expect(await balanceOf(w, tenantId)).toEqual({ available: 100n, held: 0n })
        expect((await w.wallets.totals(tenantId)).held).toEqual(usdt(0n))
        expect((await w.quotes.find(tenantId, payout.quoteId))?.status).toBe('used')
        await expectEventOf(w, write)
      })
    }

    test('settling a settled payout is stale and writes nothing', async () => {
      const payout = await processing(w)
      const first = w.settleCommit(payout, paidAnswer(payout))
      expect(await w.payouts.commit(first)).toBe('committed')
      for (const answer of [paidAnswer(payout), ...refusals]) {
        expect(await w.payouts.commit(w.settleCommit(payout, answer))).toBe('stale')
      }
      expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(first.step.payout)
      expect(await balanceOf(w, payout.tenantId)).toEqual({ available: 70n, held: 0n })
      await expectEventOf(w, first)
    })

    test('exactly one of many concurrent settlements commits', async () => {
      const payout = await processing(w)
      const writes = [paidAnswer(payout), ...refusals, ...refusals].map((each) => w.settleCommit(payout, each))
      const results = await Promise.all(writes.map((write) => w.payouts.commit(write)))
      const winner = writes[results.indexOf('committed')]
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(results.filter((result) => result === 'stale')).toHaveLength(writes.length - 1)
      expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(winner?.step.payout)
      const left = winner?.step.payout.status === 'completed' ? 70n : 100n
      expect(await balanceOf(w, payout.tenantId)).toEqual({ available: left, held: 0n })
    })

    test('an older or newer fencing token is stale, as is an unknown payout', async () => {
      const payout = await processing(w)
      const { tenantId, id: payoutId } = payout
      const other = await w.newWallet(usdt(0n))
      const unknown = w.ids.next('po', someInstant)
      for (const claim of [
        { tenantId, payoutId, fencingToken: 0 },
        { tenantId, payoutId, fencingToken: 2 },
        { tenantId, payoutId: unknown, fencingToken: 1 },
        { tenantId: other, payoutId, fencingToken: 1 },
      ]) {
        const write = w.settleCommit(payout, paidAnswer(payout), { claim })
        expect(await w.payouts.commit(write)).toBe('stale')
      }
      expect(await w.payouts.get(tenantId, payoutId)).toEqual(payout)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 30n })
      await expectEventTypes(w, tenantId, payoutId, [])
    })
  })
}
