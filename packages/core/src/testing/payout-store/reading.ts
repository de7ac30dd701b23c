import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdt } from '../../money.ts'
import { anyInstant, anyMinor, anyText } from '../arbitraries.ts'
import { paid } from '../given.ts'
import { type OpenHarness, useWorld } from '../harness.ts'
import { eventsAbout } from '../events-about.ts'

export function readingContract(open: OpenHarness, runs: number): void {
  describe('reading', () => {
    const world = useWorld(open)

    test('a first look finds the quote and the resolution it names', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(0n))
      const resolution = await w.newResolution(tenantId)
      const quote = await w.newQuote(tenantId, { resolutionId: resolution.id })
      expect(await w.payouts.look(tenantId, 'unheard-of', quote.id)).toEqual({
        known: undefined,
        quote: { quote, status: 'open', payoutId: null },
        resolution,
      })
    })

    test('a look at nothing finds nothing', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(0n))
      const look = await w.payouts.look(tenantId, 'unheard-of', w.ids.uuid(new Date(0)))
      expect(look).toEqual({ known: undefined, quote: undefined, resolution: undefined })
    })

    test('a look finds the payout, though the quote it is asked about is another or unknown', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(100n))
      const payout = await w.applied(await w.newQuote(tenantId, { source: usdt(1n) }))
      const other = await w.newQuote(tenantId)
      const { transactionId } = payout
      const look = await w.payouts.look(tenantId, transactionId, other.id)
      expect(look).toMatchObject({ known: { payout }, quote: { status: 'open' } })
      const blind = await w.payouts.look(tenantId, transactionId, w.ids.uuid(new Date(0)))
      expect(blind).toMatchObject({ known: { payout }, quote: undefined })
    })

    test('no look sees a quote used by a payout that it does not see', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(1_000n))
      for (let round = 0; round < 20; round++) {
        const quote = await w.newQuote(tenantId, { source: usdt(1n) })
        const write = w.applying(quote)
        const { id, transactionId } = write.step.payout
        const look = () => w.payouts.look(tenantId, transactionId, quote.id)
        const [, ...looks] = await Promise.all([w.payouts.commit(write), look(), look(), look()])
        for (const { known, quote: view } of [...looks, await look()]) {
          expect(view?.payoutId ?? undefined).toBe(known?.payout.id)
        }
        expect((await look()).known?.payout.id).toBe(id)
      }
    })

    test('a writer finds what it has written at once', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(1_000n))
      for (let round = 0; round < 20; round++) {
        const payout = await w.applied(await w.newQuote(tenantId, { source: usdt(1n) }))
        const { transactionId } = payout
        expect((await w.payouts.find(tenantId, transactionId))?.payout.status).toBe('processing')
        await w.payouts.commit(w.settling(payout, paid(payout)))
        expect((await w.payouts.find(tenantId, transactionId))?.payout.status).toBe('completed')
      }
    })

    test('another tenant’s payouts and quotes are never seen', async () => {
      const w = world()
      const [owner, stranger] = [await w.newWallet(usdt(100n)), await w.newWallet(usdt(100n))]
      const resolution = await w.newResolution(owner)
      const quote = await w.newQuote(owner, { source: usdt(1n), resolutionId: resolution.id })
      const { id, transactionId } = await w.applied(quote)
      expect(await w.payouts.get(stranger, id)).toBeUndefined()
      expect(await w.payouts.find(stranger, transactionId)).toBeUndefined()
      expect(await w.payouts.list(stranger, { limit: 10 })).toEqual({ items: [], next: null })
      const filtered = await w.payouts.list(stranger, { limit: 10, transactionId })
      expect(filtered.items).toEqual([])
      expect(await w.payouts.look(stranger, transactionId, quote.id)).toEqual({
        known: undefined,
        quote: undefined,
        resolution: undefined,
      })
      expect(await eventsAbout(w, stranger, id)).toEqual([])
    })

    test('every text, amount and instant is read back as it was written', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(0n))
      const quote = await w.newQuote(tenantId)
      const qr = fc.record({
        amountMode: fc.constantFrom('open', 'closed'),
        merchant: fc.record({ name: anyText, bankCode: anyText }),
      })
      const sample = fc.record({ qr, minor: anyMinor, createdAt: anyInstant, endedAt: anyInstant })
      await fc.assert(
        fc.asyncProperty(sample, anyText, async ({ minor, ...written }, message) => {
          const { step, ...write } = w.refusing(quote, { code: 'QUOTE_AMOUNT_MISMATCH' })
          const target = { currency: 'BOB', minor } as const
          const error = { code: 'QUOTE_AMOUNT_MISMATCH', message } as const
          const payout = { ...step.payout, ...written, status: 'cancelled', target, error } as const
          const changed = { ...write, step: { ...step, payout } }
          expect(await w.payouts.commit(changed)).toBe('committed')
          expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout)
        }),
        { numRuns: runs },
      )
    })
  })
}
