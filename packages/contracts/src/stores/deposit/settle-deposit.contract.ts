import { asRecorded } from '../../fixtures/new-event.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_MINOR, type ReviewCode, usdt } from '@quipu/core'
import { type DepositFacts, isBalanced } from '@quipu/core/adapter'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { laterInstant } from '../../fixtures/instants.ts'
import { eventsAbout, eventTypesOf } from '../../fixtures/events-about.ts'
import {
  buildersOfAnotherTenant,
  closeReviewCommit,
  creditDepositCommit,
  depositBuilders,
  settleDepositCommit,
} from '../../fixtures/deposit/deposit-builders.ts'
import { type DepositStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'

export function settleDepositStoreTests(open: OpenHarness<DepositStores>, runs: number): void {
  describe('settling a deposit', () => {
    const w = useWorld(open, 'each')

    test('credits the amount once, to its tenant, with its event byte for byte', async () => {
      const { due, claimOne, tenantId } = await depositBuilders(w)
      const otherTenant = await w.newWallet(usdt(5n))
      await due({ value: 12_345_678n })
      const write = settleDepositCommit(w, await claimOne())
      expect(await w.deposits.commit(write)).toBe('committed')
      const { deposit } = write.step
      expect(deposit.status).toBe('credited')
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 12_345_678n, held: 0n })
      expect(await w.wallets.totals(tenantId)).toMatchObject({ credited: usdt(12_345_678n) })
      expect(await balanceOf(w, otherTenant)).toEqual({ available: 5n, held: 0n })
      const events = await eventsAbout(w, tenantId, deposit.id)
      expect(events.map(({ type }) => type)).toEqual(['deposit.pending', 'deposit.credited'])
      expect([...(events[1]?.body ?? [])]).toEqual([...asRecorded(write.step.event).body])
    })

    test('puts it in review with its event, and moves no money', async () => {
      const { inReview, tenantId } = await depositBuilders(w)
      const deposit = await inReview({ value: 2n ** 256n - 1n }, {})
      expect(deposit).toMatchObject({ reviewCode: 'AMOUNT_ABOVE_AUTO_LIMIT', closed: null })
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 0n })
      expect(await w.wallets.totals(tenantId)).toMatchObject({ credited: usdt(0n) })
      expect(await eventTypesOf(w, tenantId, deposit.id)).toEqual(['deposit.pending', 'deposit.in_review'])
    })

    test('closes the review of dust with its commit, and never credits it', async () => {
      const { inReview, tenantId, claimOne } = await depositBuilders(w)
      const deposit = await inReview({ value: 9_999n }, {})
      const closed = { actor: null, reason: 'DUST', at: laterInstant }
      expect(deposit).toMatchObject({ reviewCode: 'AMOUNT_BELOW_MINIMUM', closed })
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit)
      expect(await eventTypesOf(w, tenantId, deposit.id)).toEqual(['deposit.pending', 'deposit.in_review'])
      const review = { ...deposit, closed: null }
      expect(await w.deposits.commit(await creditDepositCommit(w, review))).toBe('stale')
      expect((await w.deposits.listAll({ limit: 10, open: true })).items).toEqual([])
      await expect(claimOne()).rejects.toThrow('no deposit is due')
    })

    test('a settlement cannot close an amount of 1 USDT, nor for another reason', async () => {
      const { due, claimOne, tenantId } = await depositBuilders(w)
      for (const [value, reason] of [
        [1_000_000n, 'DUST'],
        [9_999n, 'other'],
      ] as const) {
        const [deposit] = await due({ value })
        const write = settleDepositCommit(w, await claimOne(), { isSenderBlocked: true })
        const review = write.step.deposit
        if (review.status !== 'in_review') throw new Error('it was credited')
        const closed = { at: laterInstant, actor: null, reason }
        const step = { ...write.step, deposit: { ...review, closed } }
        await expect(w.deposits.commit({ ...write, step })).rejects.toThrow()
        expect(await w.deposits.get(tenantId, deposit?.id ?? '')).toMatchObject({ status: 'pending' })
      }
    })

    test.each<[ReviewCode, Partial<DepositFacts>]>([
      ['ADDRESS_NOT_VERIFIED', { isAddressVerified: false }],
      ['SENDER_NOT_SCREENED', { screening: 'unanswered' }],
    ])('%s leaves the deposit due, and it is settled from review', async (reviewCode, facts) => {
      const { inReview, claimOne, tenantId } = await depositBuilders(w)
      const deposit = await inReview({}, facts)
      expect(deposit).toMatchObject({ reviewCode, closed: null })
      expect(await w.deposits.claimDue(1, 100)).toEqual([])
      await w.advance(301)
      const claimed = await claimOne()
      expect(claimed.deposit).toEqual(deposit)
      const write = settleDepositCommit(w, claimed)
      expect(await w.deposits.commit(write)).toBe('committed')
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(write.step.deposit)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 25_000_000n, held: 0n })
      expect(await eventTypesOf(w, tenantId, deposit.id)).toEqual([
        'deposit.pending',
        'deposit.in_review',
        'deposit.credited',
      ])
      expect(await w.deposits.commit(write)).toBe('stale')
    })

    test('no other review is settled again, and an operator’s decision ends the attempts', async () => {
      const { inReview, claimOne, tenantId } = await depositBuilders(w)
      const blocked = await inReview()
      for (const facts of [{ isAddressFrozen: true }, { screening: 'listed' }] as const) await inReview({}, facts)
      await w.advance(301)
      expect(await w.deposits.claimDue(1, 100)).toEqual([])
      const deposit = await inReview({}, { isAddressVerified: false })
      await w.advance(301)
      const claimed = await claimOne()
      expect(await w.deposits.commit(await closeReviewCommit(w, deposit))).toBe('committed')
      expect(await w.deposits.commit(settleDepositCommit(w, claimed))).toBe('stale')
      const forged = { ...claimed, deposit: { ...claimed.deposit, id: blocked.id } }
      const claim = { ...claimed.claim, depositId: blocked.id, fencingToken: 1 }
      const write = settleDepositCommit(w, { ...forged, claim })
      expect(await w.deposits.commit(write)).toBe('stale')
      await w.advance(301)
      expect(await w.deposits.claimDue(1, 100)).toEqual([])
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 0n })
    })

    test('puts a dropped transfer in review', async () => {
      const { gone, claimOne, tenantId } = await depositBuilders(w)
      const { id } = await gone()
      expect(await w.deposits.commit(settleDepositCommit(w, await claimOne()))).toBe('committed')
      expect(await w.deposits.get(tenantId, id)).toMatchObject({ status: 'in_review', reviewCode: 'TRANSFER_DROPPED' })
    })

    test('commits exactly once of 12 concurrent settlements', async () => {
      const { due, claimOne, tenantId } = await depositBuilders(w)
      await due()
      const claimed = await claimOne()
      const writes = Array.from({ length: 12 }, (_, n) =>
        settleDepositCommit(w, claimed, n % 2 === 0 ? {} : { isSenderBlocked: true }),
      )
      const results = await Promise.all(writes.map((write) => w.deposits.commit(write)))
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(results.filter((result) => result === 'stale')).toHaveLength(11)
      const won = writes[results.indexOf('committed')]?.step.deposit
      expect(await w.deposits.get(tenantId, claimed.deposit.id)).toEqual(won)
      const credited = won?.status === 'credited' ? 25_000_000n : 0n
      expect(await balanceOf(w, tenantId)).toEqual({ available: credited, held: 0n })
      expect(await eventTypesOf(w, tenantId, claimed.deposit.id)).toHaveLength(2)
    })

    test('repeated, or with a claim that nobody has, is stale and moves nothing', async () => {
      const { due, claimOne, tenantId } = await depositBuilders(w)
      await due()
      const write = settleDepositCommit(w, await claimOne())
      const later = { ...write.claim, fencingToken: write.claim.fencingToken + 1 }
      expect(await w.deposits.commit({ ...write, claim: later })).toBe('stale')
      expect(await w.deposits.commit(write)).toBe('committed')
      expect(await w.deposits.commit(write)).toBe('stale')
      expect(await balanceOf(w, tenantId)).toEqual({ available: 25_000_000n, held: 0n })
    })

    test('of many tenants at once credits each deposit to its own wallet', async () => {
      const tenants = [await depositBuilders(w)]
      const [{ head, solid }] = tenants as [(typeof tenants)[0]]
      for (let n = 0; n < 3; n++) tenants.push(await buildersOfAnotherTenant(w, { head, solid }))
      for (const [n, { due }] of tenants.entries()) {
        await due(...Array.from({ length: 6 }, () => ({ value: BigInt(n + 1) * 1_000_000n })))
      }
      const claimed = await w.deposits.claimDue(100, 100)
      const results = await Promise.all(claimed.map((each) => w.deposits.commit(settleDepositCommit(w, each))))
      expect(results).toEqual(Array.from({ length: 24 }, () => 'committed'))
      for (const [n, { tenantId }] of tenants.entries()) {
        const available = BigInt(n + 1) * 6_000_000n
        expect(await balanceOf(w, tenantId)).toEqual({ available, held: 0n })
      }
    })

    test('of random amounts leaves the wallet with exactly the credits, and balanced books', async () => {
      const { due, tenantId } = await depositBuilders(w)
      let credited = 0n
      const anyValue = fc.oneof(
        fc.bigInt({ min: 1n, max: 3_000_000n }),
        fc.constantFrom(MAX_MINOR, MAX_MINOR + 1n, 2n ** 256n - 1n),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(anyValue, { minLength: 1, maxLength: 5 }), async (values) => {
          await due(...values.map((value) => ({ value })))
          for (const claimed of await w.deposits.claimDue(10, 100)) {
            const write = settleDepositCommit(w, claimed)
            expect(await w.deposits.commit(write)).toBe('committed')
            if (write.step.deposit.status === 'credited') credited += claimed.deposit.amount.minor
          }
          expect(await balanceOf(w, tenantId)).toEqual({ available: credited, held: 0n })
          const books = await w.wallets.books(tenantId)
          expect(books && isBalanced(books.wallet, books.totals)).toBe(true)
          expect(books?.totals.credited).toEqual(usdt(credited))
        }),
        { numRuns: runs },
      )
    })
  })
}
