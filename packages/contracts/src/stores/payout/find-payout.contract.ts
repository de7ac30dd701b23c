import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import type { ReadConsistency } from '@quipu/core/adapter'
import { anyInstant, anyMinor, anyText } from '../../fixtures/arbitraries.ts'
import { newPayoutEvent } from '../../fixtures/new-event.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { eventsAbout } from '../../fixtures/events-about.ts'

type Needed = 'payouts' | 'quotes' | 'resolutions' | 'wallets' | 'proposals' | 'tenants' | 'events'

export function findPayoutTests(open: OpenHarness<Needed>, runs: number): void {
  describe('reading', () => {
    const w = useWorld(open)

    for (const reading of ['latest', 'confirmed'] satisfies ReadConsistency[]) {
      test(`a ${reading} reading finds the quote and its resolution`, async () => {
        const tenantId = await w.newWallet(usdt(0n))
        const resolution = await w.newResolution(tenantId)
        const quote = await w.newQuote(tenantId, { resolutionId: resolution.id })
        expect(await w.payouts.findForCreate(tenantId, 'unheard-of', quote.id, reading)).toEqual({
          stored: undefined,
          quote: { quote, status: 'open', payoutId: null },
          resolution,
        })
        expect(await w.quotes.find(tenantId, quote.id)).toMatchObject({ quote: { resolutionId: resolution.id } })
      })

      test(`a ${reading} reading of unknown ids finds nothing`, async () => {
        const tenantId = await w.newWallet(usdt(0n))
        const found = await w.payouts.findForCreate(tenantId, 'unheard-of', w.ids.uuid(new Date(0)), reading)
        expect(found).toEqual({ stored: undefined, quote: undefined, resolution: undefined })
      })

      test(`a ${reading} reading finds the payout by its transaction_id, whatever the quote`, async () => {
        const tenantId = await w.newWallet(usdt(100n))
        const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
        const other = await w.newQuote(tenantId)
        const { transactionId } = payout
        const found = await w.payouts.findForCreate(tenantId, transactionId, other.id, reading)
        expect(found).toMatchObject({ stored: { payout }, quote: { status: 'open' } })
        const blind = await w.payouts.findForCreate(tenantId, transactionId, w.ids.uuid(new Date(0)), reading)
        expect(blind).toMatchObject({ stored: { payout }, quote: undefined })
      })

      test(`a ${reading} reading never shows a used quote without the payout that used it`, async () => {
        const tenantId = await w.newWallet(usdt(1_000n))
        for (let round = 0; round < 20; round++) {
          const quote = await w.newQuote(tenantId, { source: usdt(1n) })
          const write = w.acceptCommit(quote)
          const { id, transactionId } = write.step.payout
          const find = () => w.payouts.findForCreate(tenantId, transactionId, quote.id, reading)
          const [, ...finds] = await Promise.all([w.payouts.commit(write), find(), find(), find()])
          for (const { stored, quote: view } of [...finds, await find()]) {
            expect(view?.payoutId ?? undefined).toBe(stored?.payout.id)
          }
          expect((await find()).stored?.payout.id).toBe(id)
        }
      })
    }

    test('a writer reads its own commits', async () => {
      const tenantId = await w.newWallet(usdt(1_000n))
      for (let round = 0; round < 20; round++) {
        const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
        const { transactionId } = payout
        expect((await w.payouts.find(tenantId, transactionId))?.payout.status).toBe('processing')
        await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))
        expect((await w.payouts.find(tenantId, transactionId))?.payout.status).toBe('completed')
      }
    })

    test('measures a payout’s age by the store’s clock', async () => {
      const tenantId = await w.newWallet(usdt(1_000n))
      const { transactionId } = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
      const age = async (): Promise<number> => (await w.payouts.find(tenantId, transactionId))?.ageMs ?? NaN
      const before = await age()
      await w.advance(7)
      expect((await age()) - before).toBeGreaterThanOrEqual(7_000)
      expect((await age()) - before).toBeLessThan(3_600_000)
    })

    test('does not find another tenant’s payouts and quotes', async () => {
      const [owner, otherTenant] = [await w.newWallet(usdt(100n)), await w.newWallet(usdt(100n))]
      const resolution = await w.newResolution(owner)
      const quote = await w.newQuote(owner, { source: usdt(1n), resolutionId: resolution.id })
      const { id, transactionId } = await w.newPayout(quote)
      expect(await w.payouts.get(otherTenant, id)).toBeUndefined()
      expect(await w.payouts.find(otherTenant, transactionId)).toBeUndefined()
      expect(await w.payouts.list(otherTenant, { limit: 10 })).toEqual({ items: [], next: null })
      const filtered = await w.payouts.list(otherTenant, { limit: 10, transactionId })
      expect(filtered.items).toEqual([])
      expect(await w.payouts.findForCreate(otherTenant, transactionId, quote.id, 'confirmed')).toEqual({
        stored: undefined,
        quote: undefined,
        resolution: undefined,
      })
      expect(await eventsAbout(w, otherTenant, id)).toEqual([])
    })

    test('reads back every text, amount and instant as written', async () => {
      const qr = fc.record({
        amountMode: fc.constantFrom('open', 'closed'),
        merchant: fc.record({ name: anyText, bankCode: anyText }),
      })
      const sample = fc.record({ qr, minor: anyMinor, createdAt: anyInstant, endedAt: anyInstant })
      await fc.assert(
        fc.asyncProperty(sample, anyText, async ({ minor, ...written }, message) => {
          const tenantId = await w.newWallet(usdt(0n)) // An empty log redates nothing.
          const quote = await w.newQuote(tenantId)
          const { step, ...write } = w.insertEndedCommit(quote, { code: 'QUOTE_AMOUNT_MISMATCH' })
          const target = { currency: 'BOB', minor } as const
          const error = { code: 'QUOTE_AMOUNT_MISMATCH', message } as const
          const payout = { ...step.payout, ...written, status: 'cancelled', target, error } as const
          const event = newPayoutEvent(payout, 'payout.cancelled', w.ids)
          const changed = { ...step, payout, event }
          expect(await w.payouts.commit({ ...write, step: changed })).toBe('committed')
          expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout)
        }),
        { numRuns: runs },
      )
    })
  })
}
