import { asRecorded } from '../../fixtures/new-event.ts'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { MAX_MINOR, usdt } from '@quipu/core'
import type { DepositCommit, DepositInReview } from '@quipu/core/adapter'
import { auditClose, auditCredit } from '@quipu/core/operator'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { newTopUp } from '../../fixtures/deposit/addresses.ts'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { eventsAbout, eventTypesOf } from '../../fixtures/events-about.ts'
import {
  closeReviewCommit,
  closeReviewsWrite,
  creditDepositCommit,
  depositBuilders,
  returnDepositCommit,
  settleDepositCommit,
} from '../../fixtures/deposit/deposit-builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'events' | 'audit' | 'addresses' | 'scans' | 'deposits'

export function resolveReviewStoreTests(open: OpenHarness<Needed>): void {
  describe('resolving a review', () => {
    const w = useWorld(open, 'each')
    const auditOfDeposit = async ({ audit }: World<Needed>, id: string) =>
      (await auditEntries(audit, { subject: id, limit: 10 })).map(({ action }) => action)

    test('a credit moves the amount, and writes an event and an audit entry', async () => {
      const { inReview, tenantId } = await depositBuilders(w)
      const deposit = await inReview({ value: 500_000n }, {})
      const write = await creditDepositCommit(w, deposit)
      expect(await w.deposits.commit(write)).toBe('committed')
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(write.step.deposit)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 500_000n, held: 0n })
      expect(await eventTypesOf(w, tenantId, deposit.id)).toEqual([
        'deposit.pending',
        'deposit.in_review',
        'deposit.credited',
      ])
      expect(await auditEntries(w.audit, { subject: deposit.id, limit: 10 })).toEqual([
        auditCredit(deposit, write, write.step.deposit.creditedAt, originOf(write.actor)),
      ])
      const { items } = await w.wallets.transactions(tenantId, { limit: 10 })
      expect(items).toMatchObject([{ type: 'deposit', depositId: deposit.id }])
    })

    test('credits the largest amount exactly', async () => {
      const { inReview, tenantId } = await depositBuilders(w)
      const deposit = await inReview({ value: MAX_MINOR }, {})
      expect(await w.deposits.commit(await creditDepositCommit(w, deposit))).toBe('committed')
      expect(await balanceOf(w, tenantId)).toEqual({ available: MAX_MINOR, held: 0n })
      expect(await w.wallets.totals(tenantId)).toMatchObject({ credited: usdt(MAX_MINOR) })
    })

    test('a close keeps it in review with actor, instant and reason, and its event', async () => {
      const { inReview, tenantId } = await depositBuilders(w)
      const deposit = await inReview()
      const write = await closeReviewCommit(w, deposit, 'devuelto a la dueña 💸')
      expect(await w.deposits.commit(write)).toBe('committed')
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(write.step.deposit)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 0n })
      const events = await eventsAbout(w, tenantId, deposit.id)
      expect(events.at(-1)).toMatchObject({ type: 'deposit.closed', occurredAt: laterInstant })
      expect([...(events.at(-1)?.body ?? [])]).toEqual([...asRecorded(write.step.event).body])
      expect(events).toHaveLength(3)
      expect(await auditEntries(w.audit, { subject: deposit.id, limit: 10 })).toEqual([
        auditClose(write.step.deposit, write, originOf('ana')),
      ])
    })

    test('a close before the newest entry of the log gets the instant of that entry', async () => {
      const { inReview, due, claimOne, tenantId } = await depositBuilders(w)
      const deposit = await inReview()
      const newest = new Date(laterInstant.getTime() + 5_000)
      await due()
      await w.deposits.commit(settleDepositCommit(w, await claimOne(), {}, newest))
      const write = await closeReviewCommit(w, deposit)
      const committed = await w.deposits.commit(write)
      expect(committed).toEqual({ redatedTo: newest })
      const { closed } = write.step.deposit
      const expected = { ...write.step.deposit, closed: { ...closed, at: newest } }
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(expected)
      const about = await eventsAbout(w, tenantId, deposit.id)
      expect(about.at(-1)).toMatchObject({ type: 'deposit.closed', occurredAt: newest })
      expect(await auditEntries(w.audit, { subject: deposit.id, limit: 10 })).toEqual([
        auditClose(expected, write, originOf('ana')),
      ])
    })

    test('a return closes it with the address and the transaction, which returns no other deposit', async () => {
      const { inReview, gone, claimOne, tenantId } = await depositBuilders(w)
      const [deposit, other] = [await inReview(), await inReview({ value: 7_000_000n })]
      expect(await w.addresses.retire(tenantId, 'tron', someOperator)).toBe('committed')
      await newTopUp(w, tenantId)
      const returned = { toAddress: 'Ttheirs', txHash: '5e'.repeat(32) }
      const write = await returnDepositCommit(w, deposit, returned)
      const forged = { ...write, returned: { ...returned, toAddress: 'Tmine' } }
      expect(await w.deposits.commit(forged)).toBe('not_approved')
      expect(await w.deposits.commit(write)).toBe('committed')
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(write.step.deposit)
      expect(await eventTypesOf(w, tenantId, deposit.id)).toEqual([
        'deposit.pending',
        'deposit.in_review',
        'deposit.closed',
      ])
      expect(await auditEntries(w.audit, { subject: deposit.id, limit: 10 })).toEqual([
        auditClose(write.step.deposit, write, originOf('ana')),
      ])
      const again = await returnDepositCommit(w, other, returned)
      expect(await w.deposits.commit(again)).toBe('transaction_used')
      expect(await w.deposits.get(tenantId, other.id)).toEqual(other)
      await gone()
      const dropped = settleDepositCommit(w, await claimOne())
      await w.deposits.commit(dropped)
      const review = dropped.step.deposit
      if (review.status !== 'in_review') throw new Error('it was dropped')
      const never = await returnDepositCommit(w, review, { ...returned, txHash: 'ab'.repeat(32) })
      await expect(w.deposits.commit(never)).rejects.toThrow('no tokens to return')
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 0n })
    })

    test('closures need the approved proposal of exactly these, are one commit, and log one instant', async () => {
      const { inReview, due, claimOne, tenantId } = await depositBuilders(w)
      const reviews = [await inReview(), await inReview({ value: 7_000_000n })]
      const newest = new Date(laterInstant.getTime() + 5_000)
      await due()
      await w.deposits.commit(settleDepositCommit(w, await claimOne(), {}, newest))
      const write = await closeReviewsWrite(w, reviews)
      const [one, other] = write.steps
      if (!one || !other) throw new Error('there are two')
      const forged = [
        { ...write, steps: [other, one] },
        { ...write, steps: [one] },
        { ...write, actor: 'eva' },
        { ...write, reason: 'other' },
      ]
      for (const wrong of forged) expect(await w.deposits.closeReviews(wrong)).toBe('not_approved')
      const stale = [
        { ...write, steps: [one, one] },
        { ...write, tenantId: (await w.newTenant()).id },
        { ...write, steps: [] },
      ]
      for (const wrong of stale) expect(await w.deposits.closeReviews(wrong)).toBe('stale')
      for (const review of reviews) expect(await w.deposits.get(tenantId, review.id)).toEqual(review)
      expect(await w.deposits.closeReviews(write)).toBe('committed')
      expect(await w.proposals.find(write.proposalId)).toMatchObject({ status: 'executed', executedAt: newest })
      for (const { deposit } of write.steps) {
        const closed = { ...deposit, closed: { ...deposit.closed, at: newest } }
        expect(await w.deposits.get(tenantId, deposit.id)).toEqual(closed)
        const about = await eventsAbout(w, tenantId, deposit.id)
        expect(about.at(-1)).toMatchObject({ type: 'deposit.closed', occurredAt: newest })
        expect(await auditEntries(w.audit, { subject: deposit.id, limit: 10 })).toEqual([
          auditClose(closed, write, originOf('ana')),
        ])
      }
      expect(await w.deposits.closeReviews(write)).toBe('stale')
    })

    test('of concurrent closures that share a deposit one commits', async () => {
      const { inReview, tenantId } = await depositBuilders(w)
      const [a, b, c] = [await inReview(), await inReview(), await inReview()]
      const writes = [await closeReviewsWrite(w, [a, b]), await closeReviewsWrite(w, [c, b])]
      const single = await closeReviewCommit(w, b)
      const results = await Promise.all([
        ...writes.map((write) => w.deposits.closeReviews(write)),
        w.deposits.commit(single),
      ])
      expect(results.toSorted()).toEqual(['committed', 'stale', 'stale'])
      const types = await eventTypesOf(w, tenantId, b.id)
      expect(types.filter((type) => type === 'deposit.closed')).toHaveLength(1)
    })

    test('a resolution needs the approved proposal of exactly this resolution', async () => {
      const { inReview, tenantId } = await depositBuilders(w)
      const [deposit, other] = [await inReview(), await inReview({ value: 7_000_000n })]
      const [credit, close] = [await creditDepositCommit(w, deposit), await closeReviewCommit(w, deposit)]
      const { step } = await creditDepositCommit(w, other)
      const proposalId = w.ids.next('prp', someInstant)
      const writes: DepositCommit[] = [
        { ...credit, proposalId },
        { ...credit, proposalId: close.proposalId },
        { ...credit, actor: 'eva' },
        { ...credit, reason: 'other' },
        { ...credit, step },
        { ...close, proposalId: credit.proposalId },
      ]
      for (const write of writes) expect(await w.deposits.commit(write)).toBe('not_approved')
      expect(await balanceOf(w, tenantId)).toEqual({ available: 0n, held: 0n })
      expect(await w.deposits.commit(close)).toBe('committed')
      expect(await w.proposals.find(close.proposalId)).toMatchObject({ status: 'executed' })
      expect(await w.proposals.find(credit.proposalId)).toMatchObject({ status: 'approved' })
      expect(await w.deposits.commit(credit)).toBe('stale')
    })

    test.each(['listed', 'unanswered'] as const)(
      'a credit of a sender that is %s needs a proposal that says so',
      async (screening) => {
        const { inReview, tenantId } = await depositBuilders(w)
        const deposit = await inReview({}, { screening })
        expect(await w.deposits.commit(await creditDepositCommit(w, deposit))).toBe('not_approved')
        expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit)
      },
    )

    test('exactly one of 12 concurrent resolutions commits', async () => {
      const { inReview, tenantId } = await depositBuilders(w)
      const deposit = await inReview()
      const writes: DepositCommit[] = await Promise.all(
        Array.from({ length: 12 }, async (_, n) =>
          n % 3 === 0 ? closeReviewCommit(w, deposit) : creditDepositCommit(w, deposit),
        ),
      )
      const results = await Promise.all(writes.map((write) => w.deposits.commit(write)))
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(results.filter((result) => result === 'stale')).toHaveLength(11)
      const won = writes[results.indexOf('committed')]?.kind
      const available = won === 'credit' ? 25_000_000n : 0n
      expect(await balanceOf(w, tenantId)).toEqual({ available, held: 0n })
      expect(await auditOfDeposit(w, deposit.id)).toEqual([`deposit.${won}`])
    })

    test('resolving a pending, credited or closed deposit is stale', async () => {
      const { pending, credited, inReview, tenantId } = await depositBuilders(w)
      const closed = await inReview()
      await w.deposits.commit(await closeReviewCommit(w, closed))
      const [before] = await pending()
      const stored = [before ?? closed, await credited({ value: 1_000_000n }), closed]
      for (const deposit of stored) {
        const stale: DepositInReview = { ...deposit, status: 'in_review', reviewCode: 'SENDER_BLOCKED', closed: null }
        const now = await w.deposits.get(tenantId, deposit.id)
        expect(await w.deposits.commit(await creditDepositCommit(w, stale))).toBe('stale')
        expect(await w.deposits.commit(await closeReviewCommit(w, stale))).toBe('stale')
        expect(await w.deposits.get(tenantId, deposit.id)).toEqual(now)
      }
      expect(await balanceOf(w, tenantId)).toEqual({ available: 1_000_000n, held: 0n })
    })
  })
}
