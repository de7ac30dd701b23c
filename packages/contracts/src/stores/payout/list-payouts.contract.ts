import { describe, expect, test } from 'vitest'
import { type Payout, usdt } from '@quipu/core'
import type { PayoutQuery, PagePosition } from '@quipu/core/adapter'
import { paidAnswer } from '../../fixtures/builders.ts'
import { allPages, expectPages, newestFirst } from '../../fixtures/pages.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'

export function listPayoutsTests(open: OpenHarness<Needed>): void {
  describe('list', () => {
    const w = useWorld(open)
    const noon = new Date('2026-05-01T12:00:00.500Z')
    const msAfter = (ms: number): Date => new Date(noon.getTime() + ms)

    /** Ended payouts, one for each instant, in this order. */
    async function payoutsAt(w: World<Needed>, tenantId: string, instants: readonly Date[]): Promise<Payout[]> {
      const quote = await w.newQuote(tenantId)
      const payouts = []
      for (const createdAt of instants) {
        const write = w.insertEndedCommit(quote, { createdAt })
        expect(await w.payouts.commit(write)).toBe('committed')
        payouts.push(write.step.payout)
      }
      return payouts
    }

    test('sorts by creation and id, newest first, whatever the order of insertion', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const instants = [5, 1, 3, 3, 3, 0, 5, -86_400_000, 40_000_000].map(msAfter)
      const payouts = await payoutsAt(w, tenantId, instants)
      const page = await w.payouts.list(tenantId, { limit: 100 })
      expect(page).toEqual({ items: newestFirst(payouts), next: null })
    })

    test('pages have at most `limit` rows and continue without gap or overlap', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const instants = [1, 2, 2, 2, 2, 3, 4].map(msAfter)
      const payouts = await payoutsAt(w, tenantId, instants)
      await expectPages(payouts, (query) => w.payouts.list(tenantId, query))
    })

    test('payouts inserted during paging neither hide nor repeat a row', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const before = await payoutsAt(
        w,
        tenantId,
        Array.from({ length: 12 }, (_, i) => msAfter(i >> 1)),
      )
      const seen: Payout[] = []
      let after: PagePosition | undefined
      do {
        const page = await w.payouts.list(tenantId, { limit: 3, ...(after && { after }) })
        seen.push(...page.items)
        await payoutsAt(w, tenantId, [msAfter(100), msAfter(3)])
        after = page.next ?? undefined
      } while (after !== undefined)
      const ids = new Set(before.map(({ id }) => id))
      expect(seen.filter(({ id }) => ids.has(id))).toEqual(newestFirst(before))
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    })

    test('`from` and `to` are inclusive, to the millisecond', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const payouts = await payoutsAt(w, tenantId, [-1, 0, 0, 1, 2].map(msAfter))
      const ids = async (query: Partial<PayoutQuery>) =>
        idsOf((await w.payouts.list(tenantId, { limit: 100, ...query })).items)
      const expected = (from: number, to: number) => idsOf(newestFirst(payouts.slice(from, to)))
      expect(await ids({ from: noon, to: noon })).toEqual(expected(1, 3))
      expect(await ids({ from: noon })).toEqual(expected(1, 5))
      expect(await ids({ to: noon })).toEqual(expected(0, 3))
      expect(await ids({ from: msAfter(1), to: msAfter(2) })).toEqual(expected(3, 5))
      expect(await ids({ from: msAfter(3) })).toEqual([])
      expect(await ids({ to: msAfter(-2) })).toEqual([])
      const range = { from: noon, to: msAfter(1) }
      const pages = await allPages((query) => w.payouts.list(tenantId, { ...query, ...range }), 1)
      expect(idsOf(pages.flat())).toEqual(expected(1, 4))
    })

    test('filters by status, also across pages', async () => {
      const tenantId = await w.newWallet(usdt(1_000n))
      const [completed, failed, rejected, cancelled, processing] = await onePerStatus(w, tenantId)
      const wanted = { completed, failed, rejected, cancelled } as const
      for (const status of ['completed', 'failed', 'rejected', 'cancelled'] as const) {
        const { items } = await w.payouts.list(tenantId, { limit: 10, status })
        expect(items).toEqual(wanted[status])
        const pages = await allPages((query) => w.payouts.list(tenantId, { ...query, status }), 1)
        expect(pages.flat()).toEqual(wanted[status])
      }
      const onlyOpen = { isOpen: true } as const
      expect((await w.payouts.list(tenantId, { limit: 10, ...onlyOpen })).items).toEqual(processing)
      const pages = await allPages((query) => w.payouts.list(tenantId, { ...query, ...onlyOpen }), 1)
      expect(pages.flat()).toEqual(processing)
      for (const [payouts, found] of [
        [processing, true],
        [failed, false],
      ] as const) {
        const transactionId = payouts?.[0]?.transactionId ?? ''
        const query = { limit: 10, transactionId, ...onlyOpen }
        expect((await w.payouts.list(tenantId, query)).items).toHaveLength(found ? 1 : 0)
      }
      const { items } = await w.payouts.list(tenantId, { limit: 100 })
      expect(idsOf(items)).toEqual(expect.arrayContaining(idsOf(processing ?? [])))
      expect(items).toHaveLength(10)
    })

    test('filters by transaction_id, also combined with other filters', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const [, wanted] = await payoutsAt(w, tenantId, [msAfter(0), msAfter(1), msAfter(2)])
      const transactionId = wanted?.transactionId ?? ''
      const find = async (query: Partial<PayoutQuery>) =>
        (await w.payouts.list(tenantId, { limit: 10, transactionId, ...query })).items
      expect(await find({})).toEqual([wanted])
      expect(await find({ status: 'cancelled', from: msAfter(1), to: msAfter(1) })).toEqual([wanted])
      expect(await find({ status: 'completed' })).toEqual([])
      expect(await find({ from: msAfter(2) })).toEqual([])
      expect(await find({ to: noon })).toEqual([])
      expect(await find({ transactionId: 'no-such' })).toEqual([])
      const after = { createdAt: msAfter(1), id: wanted?.id ?? '' }
      expect(await find({ after })).toEqual([])
    })

    test('filters by description and by members of metadata, also combined with other filters', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const quote = await w.newQuote(tenantId)
      const [plain, described, one, both] = await Promise.all(
        [
          {},
          { description: 'Órden "1"' },
          { metadata: { order: '1' } },
          { metadata: { order: '1', '10': '', '9': 'x' }, description: 'y' },
        ].map(async (labels, i) => {
          const write = w.insertEndedCommit(quote, { createdAt: msAfter(i) })
          const payout = { ...write.step.payout, ...labels }
          expect(await w.payouts.commit({ ...write, step: { ...write.step, payout } })).toBe('committed')
          return payout
        }),
      )
      const find = async (query: Partial<PayoutQuery>) =>
        (await w.payouts.list(tenantId, { limit: 10, ...query })).items
      expect(await find({})).toEqual([both, one, described, plain])
      expect(await find({ description: 'Órden "1"' })).toEqual([described])
      expect(await find({ description: 'Órden' })).toEqual([])
      expect(await find({ metadata: { order: '1' } })).toEqual([both, one])
      expect(await find({ metadata: { order: '1', '10': '' } })).toEqual([both])
      expect(await find({ metadata: { order: '1' }, description: 'y', status: 'cancelled' })).toEqual([both])
      expect(await find({ metadata: { order: '1' }, status: 'completed' })).toEqual([])
      expect(await find({ metadata: { order: '1' }, isOpen: true })).toEqual([])
      expect(await find({ metadata: { order: '1' }, transactionId: one?.transactionId ?? '' })).toEqual([one])
      const pages = await allPages((query) => w.payouts.list(tenantId, { ...query, metadata: { order: '1' } }), 1)
      expect(pages.flat()).toEqual([both, one])
    })
  })
}

const idsOf = (payouts: readonly Payout[]): string[] => payouts.map(({ id }) => id)

/** Two payouts of each status, each list newest first. */
async function onePerStatus(w: World<Needed>, tenantId: string): Promise<Payout[][]> {
  const twice = async (make: () => Promise<Payout>) => newestFirst([await make(), await make()])
  const accepted = async () => w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
  const refused = async (code: 'QR_REFUSED' | 'QUOTE_EXPIRED') => {
    const write = w.insertEndedCommit(await w.newQuote(tenantId), { code })
    await w.payouts.commit(write)
    return write.step.payout
  }
  const settled = async (how: 'paid' | 'refused_payment') => {
    const payout = await accepted()
    const write = w.settleCommit(payout, how === 'paid' ? paidAnswer(payout) : { type: how })
    await w.payouts.commit(write)
    return write.step.payout
  }
  return [
    await twice(() => settled('paid')),
    await twice(() => settled('refused_payment')),
    await twice(() => refused('QR_REFUSED')),
    await twice(() => refused('QUOTE_EXPIRED')),
    await twice(accepted),
  ]
}
