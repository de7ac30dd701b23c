import { describe, expect, test } from 'vitest'
import type { Deposit } from '@quipu/core'
import type { AllDepositsQuery, DepositQuery, PagePosition } from '@quipu/core/adapter'
import { buildersOfAnotherTenant, closeReviewCommit, depositBuilders } from '../../fixtures/deposit/deposit-builders.ts'
import { allPages, expectPages, newestFirst } from '../../fixtures/pages.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

type Needed = 'proposals' | 'tenants' | 'addresses' | 'scans' | 'deposits'

export function listDepositsTests(open: OpenHarness<Needed>): void {
  describe('listing deposits', () => {
    const w = useWorld(open, 'each')
    const noon = new Date('2026-05-01T12:00:00.500Z')
    const msAfter = (ms: number): Date => new Date(noon.getTime() + ms)
    const optionsAt = (...offsets: number[]) => offsets.map((ms) => ({ createdAt: msAfter(ms), block: 100 }))
    const idsOf = (deposits: readonly Deposit[]) => deposits.map(({ id }) => id)

    test('sorts by creation and id, newest first, in pages', async () => {
      const { pending, tenantId } = await depositBuilders(w)
      const deposits = await pending(...optionsAt(5, 1, 3, 3, 3, 0, 5, -86_400_000, 40_000_000))
      await expectPages(deposits, (query) => w.deposits.list(tenantId, query))
      await expectPages(deposits, (query) => w.deposits.listAll(query))
    })

    test('pages show each deposit exactly once during inserts', async () => {
      const { pending, tenantId } = await depositBuilders(w)
      const before = await pending(...optionsAt(...Array.from({ length: 12 }, (_, n) => n >> 1)))
      for (const list of [
        (query: DepositQuery) => w.deposits.list(tenantId, query),
        (query: DepositQuery) => w.deposits.listAll(query),
      ]) {
        const seen: Deposit[] = []
        let after: PagePosition | undefined
        do {
          const page = await list({ limit: 3, ...(after && { after }) })
          seen.push(...page.items)
          await pending(...optionsAt(100, 3))
          after = page.next ?? undefined
        } while (after !== undefined)
        const ids = new Set(idsOf(before))
        expect(seen.filter(({ id }) => ids.has(id))).toEqual(newestFirst(before))
        expect(new Set(idsOf(seen)).size).toBe(seen.length)
      }
    })

    test('`from` and `to` are inclusive, to the millisecond', async () => {
      const { pending, tenantId } = await depositBuilders(w)
      const deposits = await pending(...optionsAt(-1, 0, 0, 1, 2))
      const expected = (from: number, to: number) => newestFirst(deposits.slice(from, to))
      const list = async (query: Partial<DepositQuery>) => {
        const { items } = await w.deposits.list(tenantId, { limit: 100, ...query })
        expect((await w.deposits.listAll({ limit: 100, ...query })).items).toEqual(items)
        return items
      }
      expect(await list({ from: noon, to: noon })).toEqual(expected(1, 3))
      expect(await list({ from: noon })).toEqual(expected(1, 5))
      expect(await list({ to: noon })).toEqual(expected(0, 3))
      expect(await list({ from: msAfter(3) })).toEqual([])
      const range = { from: noon, to: msAfter(1) }
      const pages = await allPages((query) => w.deposits.list(tenantId, { ...query, ...range }), 1)
      expect(pages.flat()).toEqual(expected(1, 4))
    })

    test('filters by status, also across pages', async () => {
      const { pending, credited, inReview, tenantId } = await depositBuilders(w)
      const wanted: Record<Deposit['status'], Deposit[]> = {
        credited: newestFirst([await credited(), await credited()]),
        in_review: newestFirst([await inReview(), await inReview()]),
        pending: newestFirst(await pending({}, {})),
      }
      for (const status of ['pending', 'credited', 'in_review'] as const) {
        for (const list of [
          (query: DepositQuery) => w.deposits.list(tenantId, query),
          (query: DepositQuery) => w.deposits.listAll(query),
        ]) {
          expect((await list({ limit: 10, status })).items).toEqual(wanted[status])
          const pages = await allPages((query) => list({ ...query, status }), 1)
          expect(pages.flat()).toEqual(wanted[status])
        }
      }
    })

    test('list and get are limited to the tenant; listAll and find are not', async () => {
      const one = await depositBuilders(w)
      const other = await buildersOfAnotherTenant(w, one)
      const [mine, theirs] = [await one.pending({}, {}), await other.pending({})]
      const [id, theirId] = [mine[0]?.id ?? '', theirs[0]?.id ?? '']
      expect((await w.deposits.list(one.tenantId, { limit: 10 })).items).toEqual(newestFirst(mine))
      expect((await w.deposits.list(other.tenantId, { limit: 10 })).items).toEqual(theirs)
      expect(await w.deposits.get(other.tenantId, id)).toBeUndefined()
      expect(await w.deposits.get(one.tenantId, theirId)).toBeUndefined()
      expect(await w.deposits.find(id)).toEqual(mine[0])
      expect(await w.deposits.find(theirId)).toEqual(theirs[0])
      expect((await w.deposits.listAll({ limit: 10 })).items).toEqual(newestFirst([...mine, ...theirs]))
      expect(await w.deposits.find('dep_0000000000000000000000000Z')).toBeUndefined()
      expect(await w.deposits.get(one.tenantId, 'dep_0000000000000000000000000Z')).toBeUndefined()
    })

    test('listAll filters by tenant, reason, transaction and address, also across pages', async () => {
      const one = await depositBuilders(w)
      const other = await buildersOfAnotherTenant(w, one)
      const deposits: Deposit[] = []
      for (const { pending, inReview, credited } of [one, other])
        deposits.push(...(await pending({}, {})), await inReview(), await credited())
      const review = deposits.find(({ status }) => status === 'in_review')
      if (review?.status !== 'in_review') throw new Error('one deposit is in review')
      const { reviewCode, txHash, address, tenantId } = review
      const isReview = (deposit: Deposit) => deposit.status === 'in_review' && deposit.reviewCode === reviewCode
      const cases: readonly (readonly [Partial<AllDepositsQuery>, (deposit: Deposit) => boolean])[] = [
        [{ tenantId }, (deposit) => deposit.tenantId === tenantId],
        [{ tenantId, open: true }, (deposit) => deposit.tenantId === tenantId],
        [{ reviewCode }, isReview],
        [{ reviewCode, status: 'credited' }, () => false],
        [{ reviewCode, tenantId }, (deposit) => isReview(deposit) && deposit.tenantId === tenantId],
        [{ txHash }, (deposit) => deposit.txHash === txHash],
        [{ txHash, address, reviewCode, tenantId }, ({ id }) => id === review.id],
        [{ txHash, tenantId: 'ten_0000000000000000000000000Z' }, () => false],
        [{ address }, (deposit) => deposit.address === address],
        [{ address, status: 'pending' }, (deposit) => deposit.address === address && deposit.status === 'pending'],
        [{ address: 'nothing' }, () => false],
      ]
      for (const [filters, isWanted] of cases)
        await expectPages(deposits.filter(isWanted), (query) => w.deposits.listAll({ ...query, ...filters }))
    })

    test('`open` excludes closed reviews', async () => {
      const { inReview, credited, pending, tenantId } = await depositBuilders(w)
      const [open, closed] = [await inReview(), await inReview()]
      const write = await closeReviewCommit(w, closed)
      await w.deposits.commit(write)
      const others = [await credited(), ...(await pending())]
      const all = newestFirst([open, write.step.deposit, ...others])
      const list = async (query: Partial<Parameters<typeof w.deposits.listAll>[0]>) =>
        (await w.deposits.listAll({ limit: 10, ...query })).items
      expect(await list({ status: 'in_review', open: true })).toEqual([open])
      expect(await list({ status: 'in_review' })).toEqual(newestFirst([open, write.step.deposit]))
      expect(await list({ open: true })).toEqual(newestFirst([open, ...others]))
      expect(await list({ open: false })).toEqual(all)
      expect((await w.deposits.list(tenantId, { limit: 10 })).items).toEqual(all)
    })
  })
}
