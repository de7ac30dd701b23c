import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { laterInstant } from '../../fixtures/instants.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { failedAttempt, type SubscriberStores, openSubscriber } from '../../fixtures/webhook/subscriber.ts'

export type OverviewStores = SubscriberStores | 'events' | 'overview'

export function readPayoutRecordTests(open: OpenHarness<OverviewStores>): void {
  describe('payout', () => {
    const w = useWorld(open, 'each')

    test('a payout in processing has its hold, and no event', async () => {
      const tenantId = await w.newWallet(usdt(10n))
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(3n) }))
      const record = await w.overview.payout(payout.id)
      expect(record).toMatchObject({ payout, eventId: null, open: { claimCount: 0, raised: {} } })
      const hold = { type: 'hold', amount: usdt(3n), availableAfter: usdt(7n), heldAfter: usdt(3n) }
      expect(record?.postings).toMatchObject([hold])
      expect(record?.postings[0]?.at).toBeInstanceOf(Date)
    })

    test.each(['capture', 'release'] as const)('a settled payout has its %s', async (type) => {
      const tenantId = await w.newWallet(usdt(10n))
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(3n) }))
      const answer = type === 'capture' ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
      const write = w.settleCommit(payout, answer)
      await w.payouts.commit(write)
      const record = await w.overview.payout(payout.id)
      const availableAfter = usdt(type === 'capture' ? 7n : 10n)
      const end = { type, amount: usdt(3n), availableAfter, heldAfter: usdt(0n), at: laterInstant }
      expect(record?.postings).toMatchObject([{ type: 'hold' }, end])
      expect(record).toMatchObject({ payout: write.step.payout, open: null, eventId: write.step.event?.id })
    })

    test('a payout that was never accepted has no posting', async () => {
      const write = w.insertEndedCommit(await w.newQuote(await w.newWallet(usdt(0n))))
      await w.payouts.commit(write)
      expect(await w.overview.payout(write.step.payout.id)).toEqual({
        payout: write.step.payout,
        open: null,
        postings: [],
        eventId: write.step.event?.id,
      })
      expect(await w.overview.payout('po_00000000000000000000000000')).toBeUndefined()
    })

    test('an event’s deliveries are those of all endpoints of its tenant', async () => {
      const subscriber = await openSubscriber(w)
      const endpoints = [await subscriber.newEndpoint(), await subscriber.newEndpoint()]
      const [eventId = '', otherId = ''] = await subscriber.emitEvents(2)
      const { overview, deliveries } = w
      const { tenantId } = subscriber
      const all = async (event: string) =>
        Promise.all(endpoints.map(({ id }) => deliveries.get(tenantId, { endpointId: id, eventId: event })))
      const byEndpoint = (rows: readonly ({ readonly endpointId: string } | undefined)[]) =>
        rows.toSorted((a, b) => ((a?.endpointId ?? '') < (b?.endpointId ?? '') ? -1 : 1))
      for (const step of ['pending', 'leased', 'recorded']) {
        if (step === 'leased') await subscriber.claimDue({ limit: 1 })
        if (step === 'recorded') {
          const [next] = await subscriber.claimDue({ limit: 1 })
          if (next) await subscriber.record(next, { attempt: failedAttempt })
        }
        for (const event of [eventId, otherId])
          expect(byEndpoint(await overview.deliveriesOf(tenantId, event))).toEqual(byEndpoint(await all(event)))
      }
      const another = await openSubscriber(w)
      expect(await overview.deliveriesOf(another.tenantId, eventId)).toEqual([])
    })
  })
}
