import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { usdt } from '@quipu/core'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { depositHarness } from '../../fixtures/deposit/deposit-harness.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'events' | 'audit' | 'addresses' | 'scans' | 'deposits'

export function resolveReviewTests(open: OpenHarness<Needed>): void {
  describe('reviews and reconciliation', () => {
    const w = useWorld(open, 'each')

    /** A deposit in review, below the minimum. */
    async function begin() {
      const harness = await depositHarness(w)
      const { chain, topUp, finalizeAll, deposit } = harness
      chain.mine(chain.pay(topUp.account, 500_000n))
      await finalizeAll()
      return { ...harness, id: (await deposit()).id }
    }

    test('a credit moves the money, and writes an event and an audit entry', async () => {
      const { review, id, deposit, eventTypes, available, tenantId } = await begin()
      const answer = await review.credit('ana', id, 'known sender')
      expect(answer).toMatchObject({ type: 'resolved', deposit: { id, status: 'credited' } })
      expect({ type: 'resolved', deposit: await deposit() }).toEqual(answer)
      expect(await eventTypes(id)).toEqual(['deposit.pending', 'deposit.in_review', 'deposit.credited'])
      expect(await available()).toBe(500_000n)
      expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toMatchObject([
        {
          actor: 'ana',
          action: 'deposit.credit',
          tenantId,
          before: { status: 'in_review', review_code: 'AMOUNT_BELOW_MINIMUM' },
          after: { status: 'credited', amount: '0.500000', credited_reason: 'known sender' },
        },
      ])
    })

    test('a close keeps the deposit in review, with the reason', async () => {
      const { review, id, deposit, eventTypes, available, tenantId } = await begin()
      const answer = await review.close('ana', id, 'sent back by hand')
      const closed = { actor: 'ana', reason: 'sent back by hand' }
      expect(answer).toMatchObject({ type: 'resolved', deposit: { status: 'in_review', closed } })
      expect({ type: 'resolved', deposit: await deposit() }).toEqual(answer)
      expect(await eventTypes(id)).toEqual(['deposit.pending', 'deposit.in_review', 'deposit.closed'])
      expect(await available()).toBe(0n)
      expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toMatchObject([
        { action: 'deposit.close', tenantId, after: { closed_reason: 'sent back by hand' } },
      ])
    })

    test('exactly one of 12 concurrent operators resolves it', async () => {
      const { review, id, available, eventTypes, deposit } = await begin()
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          n % 2 === 0 ? review.credit('ana', id, 'known sender') : review.close('eva', id, 'no'),
        ),
      )
      expect(answers.filter(({ type }) => type === 'resolved')).toHaveLength(1)
      const isCredited = (await deposit()).status === 'credited'
      expect(await available()).toBe(isCredited ? 500_000n : 0n)
      expect(await eventTypes(id)).toEqual([
        'deposit.pending',
        'deposit.in_review',
        isCredited ? 'deposit.credited' : 'deposit.closed',
      ])
    })

    test('reconciliation balances after every step, and has the last scanned block', async () => {
      const { chain, topUp, head, finalizeAll, review, id, reconcile, tenantId } = await begin()
      const books = async () => reconcile(tenantId)
      const is = (credited: bigint) => ({
        credited: usdt(credited),
        available: usdt(credited),
        held: usdt(0n),
        balanced: true,
        drift: usdt(0n),
        scannedThrough: { number: chain.solid, id: chain.blocks[chain.solid - 1]?.id },
      })
      expect(await books()).toMatchObject(is(0n))
      await review.credit('ana', id, 'known sender')
      expect(await books()).toMatchObject(is(500_000n))
      chain.mine(chain.pay(topUp.account, 5_000_000n))
      chain.mine()
      await head()
      expect(await books()).toMatchObject(is(500_000n))
      await finalizeAll()
      expect(await books()).toMatchObject(is(5_500_000n))
      expect(await reconcile('ten_00000000000000000000000000')).toBeUndefined()
    })
  })
}
