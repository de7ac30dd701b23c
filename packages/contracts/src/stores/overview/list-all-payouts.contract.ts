import { describe, expect, test } from 'vitest'
import { type Payout, usdt } from '@quipu/core'
import { ownerClaim } from '@quipu/core/adapter'
import type { PayoutOverviewQuery } from '@quipu/core/operator'
import { paidAnswer, someAdmin } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { newKey } from '../../fixtures/new-key.ts'
import { expectPages, newestFirst } from '../../fixtures/pages.ts'

type Needed = 'overview' | 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants' | 'apiKeys'
type Filters = Omit<PayoutOverviewQuery, 'limit' | 'after'>

const msAfter = (ms: number): Date => new Date(someInstant.getTime() + ms)

export function listAllPayoutsTests(open: OpenHarness<Needed>): void {
  describe('payouts', () => {
    const w = useWorld(open, 'each')

    test('lists the payouts of all tenants, newest first, by any filters', async () => {
      const payouts = [
        ...(await onePerStatus(w, [7, 1, 5, 3, 9])),
        ...(await onePerStatus(w, [2, 8, 4, 6, 0])),
        ...(await onePerStatus(w, [3, 3, 3, 3, 3])),
      ]
      const { tenantId, target: middle } = payouts[0] as Payout
      const status = (wanted: Payout['status']) => (payout: Payout) => payout.status === wanted
      const cases: readonly (readonly [Filters, (payout: Payout) => boolean])[] = [
        [{}, () => true],
        [{ tenantId }, (payout) => payout.tenantId === tenantId],
        ...(['processing', 'completed', 'failed', 'rejected', 'cancelled'] as const).flatMap(
          (wanted) =>
            [
              [{ status: wanted }, status(wanted)],
              [
                { status: wanted, tenantId },
                (payout: Payout) => payout.status === wanted && payout.tenantId === tenantId,
              ],
            ] as const,
        ),
        [{ errorCode: 'QUOTE_EXPIRED' }, status('cancelled')],
        [{ errorCode: 'QUOTE_EXPIRED', status: 'failed' }, () => false],
        [
          { errorCode: 'PAYMENT_FAILED', tenantId },
          (payout) => payout.status === 'failed' && payout.tenantId === tenantId,
        ],
        [{ networkPaymentId: 'np-1' }, status('completed')],
        [{ networkPaymentId: 'np-1', status: 'processing' }, () => false],
        [{ networkPaymentId: 'np-2' }, () => false],
        [{ networkReference: 'nr-nothing' }, () => false],
        ...payouts.flatMap((payout) =>
          'networkRef' in payout
            ? ([
                [{ networkReference: payout.networkRef }, ({ id }: Payout) => id === payout.id],
                [
                  { networkReference: payout.networkRef, status: payout.status, tenantId: payout.tenantId },
                  ({ id }: Payout) => id === payout.id,
                ],
                [
                  { networkReference: payout.networkRef, transactionId: payout.transactionId },
                  ({ id }: Payout) => id === payout.id,
                ],
              ] as const)
            : [],
        ),
        [{ transactionId: 'order-3' }, ({ transactionId }) => transactionId === 'order-3'],
        [
          { transactionId: 'order-3', tenantId },
          (payout) => payout.transactionId === 'order-3' && payout.tenantId === tenantId,
        ],
        [{ transactionId: 'order-0', status: 'processing' }, () => false],
        [{ merchant: 'SALTENAS doña' }, ({ qr }) => qr !== null],
        [{ merchant: 'elvira', status: 'processing' }, status('processing')],
        [{ merchant: 'elvira', tenantId }, (payout) => payout.qr !== null && payout.tenantId === tenantId],
        [{ merchant: 'nobody' }, () => false],
        [{ targetFrom: middle, targetTo: middle }, ({ target }) => target.minor === middle.minor],
        [
          { targetFrom: middle, status: 'completed' },
          (payout) => status('completed')(payout) && payout.target.minor >= middle.minor,
        ],
        [
          { targetTo: middle, transactionId: 'order-3' },
          (payout) => payout.transactionId === 'order-3' && payout.target.minor <= middle.minor,
        ],
        [{ isRaised: true }, () => false],
        [{ from: msAfter(3), to: msAfter(5) }, ({ createdAt }) => createdAt >= msAfter(3) && createdAt <= msAfter(5)],
        [
          { status: 'processing', to: msAfter(2) },
          (payout) => payout.status === 'processing' && payout.createdAt <= msAfter(2),
        ],
      ]
      for (const [filters, isWanted] of cases)
        await expectPages(payouts.filter(isWanted), async (query) => {
          const page = await w.overview.payouts({ ...query, ...filters })
          return { ...page, items: page.items.map(({ payout }) => payout) }
        })
    })

    test('lists the payouts of a key, also by other filters', async () => {
      const tenantId = await w.newWallet(usdt(1_000n))
      const [key, other] = [newKey(w, tenantId), newKey(w, tenantId)]
      for (const each of [key, other]) await w.apiKeys.issue(each, someAdmin)
      const payouts: Payout[] = []
      for (const keyId of [key.id, other.id, key.id]) {
        const quote = () => w.newQuote(tenantId, { source: usdt(1n) })
        payouts.push(await w.newPayout(await quote(), { keyId }))
        const paid = await w.newPayout(await quote(), { keyId })
        const write = w.settleCommit(paid, paidAnswer(paid))
        await w.payouts.commit(write)
        const ended = w.insertEndedCommit(await quote(), { keyId })
        await w.payouts.commit(ended)
        payouts.push(write.step.payout, ended.step.payout)
      }
      await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) })) // without a key
      const some = payouts.at(1)?.transactionId ?? ''
      const cases: readonly (readonly [Filters, (payout: Payout) => boolean])[] = [
        [{}, () => true],
        [{ tenantId }, () => true],
        [{ status: 'processing' }, ({ status }) => status === 'processing'],
        [{ status: 'completed', tenantId }, ({ status }) => status === 'completed'],
        [{ status: 'cancelled' }, ({ status }) => status === 'cancelled'],
        [{ transactionId: some }, ({ transactionId }) => transactionId === some],
      ]
      for (const keyId of [key.id, other.id, 'key_unknown'])
        for (const [filters, isWanted] of cases)
          await expectPages(
            payouts.filter((each) => each.keyId === keyId && isWanted(each)),
            async (query) => {
              const page = await w.overview.payouts({ ...query, ...filters, keyId })
              return { ...page, items: page.items.map(({ payout }) => payout) }
            },
          )
    })

    test('shows the work on payouts in processing, and lists those with an alert', async () => {
      const tenantId = await w.newWallet(usdt(10n))
      const open = async () => w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
      const [first, hanging] = [await open(), await open()]
      const raised = { NEEDS_OPERATOR: 'the amount differs' }
      await w.payouts.yieldClaim(ownerClaim(hanging), { dueInSeconds: 60, raised, calls: [] })
      const given = { ...(await open()), networkRef: 'given-1' }
      const yielded = { dueInSeconds: 60, raised: {}, calls: [], networkRef: 'given-1' }
      await w.payouts.yieldClaim(ownerClaim(given), yielded)
      const { items } = await w.overview.payouts({ limit: 10, status: 'processing' })
      expect(items.map(({ payout }) => payout)).toEqual(newestFirst([first, hanging, given]))
      expect(items.find(({ payout }) => payout.id === hanging.id)?.open).toMatchObject({
        claimCount: 0,
        unanswered: 0,
        raised,
      })
      expect(items.find(({ payout }) => payout.id === first.id)?.open).toMatchObject({ raised: {} })
      const [alone, ...others] = (await w.overview.payouts({ limit: 10, isRaised: true })).items
      expect([alone?.payout, others]).toEqual([hanging, []])
      const { transactionId } = first
      const both = { limit: 10, isRaised: true, transactionId }
      expect((await w.overview.payouts(both)).items).toEqual([])
    })

    test('finds open and ended payouts by the reference that the network gave after the reading’s', async () => {
      const tenantId = await w.newWallet(usdt(10n))
      const accepted = async () => w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
      const [open, settled] = [await accepted(), await accepted()]
      const yielded = { dueInSeconds: 60, raised: {}, calls: [], networkRef: 'given-open' }
      await w.payouts.yieldClaim(ownerClaim(open), yielded)
      const write = w.settleCommit({ ...settled, networkRef: 'given-ended' }, paidAnswer(settled))
      expect(await w.payouts.commit({ ...write, networkRef: 'given-ended' })).toBe('committed')
      for (const [{ id, networkRef, transactionId }, status, networkReference] of [
        [open, 'processing', 'given-open'],
        [settled, 'completed', 'given-ended'],
      ] as const) {
        const others: readonly Filters[] = [{}, { tenantId }, { status }, { transactionId }]
        for (const filters of others) {
          const found = async (reference: string) =>
            (await w.overview.payouts({ limit: 9, ...filters, networkReference: reference })).items.map(
              ({ payout }) => payout,
            )
          expect(await found(networkReference)).toMatchObject([{ id, networkRef: networkReference }])
          expect(await found(networkRef)).toEqual([])
        }
        expect(await w.overview.find(networkReference)).toMatchObject([{ type: 'payout', id }])
      }
    })
  })
}

/** A payout of each status, of a new tenant, created at these milliseconds. */
async function onePerStatus(w: World<Needed>, ms: readonly number[]): Promise<Payout[]> {
  const tenantId = await w.newWallet(usdt(1_000n))
  const options = (n: number) => ({ createdAt: msAfter(ms[n] ?? 0), transactionId: `order-${n}` })
  const accepted = async (n: number) => w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }), options(n))
  const ended = async (n: number, code: 'QR_REFUSED' | 'QUOTE_EXPIRED') => {
    const write = w.insertEndedCommit(await w.newQuote(tenantId), { ...options(n), code })
    await w.payouts.commit(write)
    return write.step.payout
  }
  const settled = async (n: number, how: 'paid' | 'refused_payment') => {
    const payout = await accepted(n)
    const write = w.settleCommit(payout, how === 'paid' ? paidAnswer(payout) : { type: how })
    await w.payouts.commit(write)
    return write.step.payout
  }
  return [
    await settled(0, 'paid'),
    await settled(1, 'refused_payment'),
    await ended(2, 'QR_REFUSED'),
    await ended(3, 'QUOTE_EXPIRED'),
    await accepted(4),
  ]
}
