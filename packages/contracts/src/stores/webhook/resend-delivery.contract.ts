import { describe, expect, test } from 'vitest'
import type { PagePosition } from '@quipu/core/adapter'
import type { OpenHarness } from '../../fixtures/harness.ts'
import {
  allDue,
  failedAttempt,
  retryIn,
  useSubscribers,
  type SubscriberStores,
} from '../../fixtures/webhook/subscriber.ts'

export function resendDeliveryTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('resending', () => {
    const { w, newSubscriber } = useSubscribers(open)
    const exhausted = { attempt: failedAttempt, decision: { type: 'exhausted' } } as const

    test.for(['delivered', 'exhausted'] as const)(
      'a delivery that is %s is attempted once, and keeps its status if that fails',
      async (status) => {
        const subscriber = await newSubscriber()
        const { id: endpointId } = await subscriber.newEndpoint()
        const eventId = await subscriber.emitEvent()
        const ref = { endpointId, eventId }
        await subscriber.record(await subscriber.claimOne(), status === 'exhausted' ? exhausted : {})
        const before = await w.deliveries.get(subscriber.tenantId, ref)
        const consecutiveFailures = status === 'exhausted' ? 1 : 0
        await w.advance(60)
        expect(await w.deliveries.resend(subscriber.tenantId, ref)).toBe('committed')
        expect(await w.deliveries.resend(subscriber.tenantId, ref)).toBe('pending')
        expect(await w.deliveries.get(subscriber.tenantId, ref)).toMatchObject({ status: 'pending', endedAt: null })
        const claimed = await subscriber.claimOne()
        expect(claimed).toMatchObject({ claim: ref, isResend: true, attempt: 1 })
        expect(await subscriber.record(claimed, exhausted)).toMatchObject({ consecutiveFailures, hasPaused: false })
        expect(await w.deliveries.get(subscriber.tenantId, ref)).toEqual({
          ...before,
          attempts: [...(before?.attempts ?? []), failedAttempt],
        })
        await w.deliveries.resend(subscriber.tenantId, ref)
        expect(await subscriber.record(await subscriber.claimOne())).toMatchObject({ consecutiveFailures })
        const after = await w.deliveries.get(subscriber.tenantId, ref)
        expect(after?.status).toBe('delivered')
        expect(after?.attempts).toHaveLength(3)
      },
    )

    test('a replay sends the events since an instant again, and those of the time before the endpoint', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const { deliveries } = w
      const early = await subscriber.emitEvent()
      const { id: endpointId } = await subscriber.newEndpoint({ events: ['payout.cancelled'] })
      const [first = '', second = ''] = await subscriber.emitEvents(2)
      await subscriber.record(await subscriber.claimOne())
      await subscriber.record(await subscriber.claimOne(), exhausted)
      await subscriber.emitEvent('payout.failed')
      const since = new Date(0)
      const batch = await deliveries.replay(tenantId, endpointId, { since, limit: 2 })
      if (typeof batch === 'string' || !batch.next) throw new Error('there is more')
      expect(batch.resent).toBe(2)
      const rest = await deliveries.replay(tenantId, endpointId, { since, limit: 2, after: batch.next })
      expect(rest).toEqual({ resent: 1, next: null })
      expect(await deliveries.replay(tenantId, endpointId, { since, limit: 9 })).toEqual({ resent: 0, next: null })
      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ claim, isResend }) => [claim.eventId, isResend]).toSorted()).toEqual(
        [
          [early, false],
          [first, true],
          [second, true],
        ].toSorted(),
      )
      for (const each of claimed) await subscriber.record(each)
      const ended = (await deliveries.list(tenantId, endpointId, { limit: 9, status: 'delivered' })).items
      expect(ended.map(({ eventId, attempts }) => [eventId, attempts.length])).toEqual([
        [second, 2],
        [first, 2],
        [early, 1],
      ])
      expect(await w.webhooks.queued(tenantId, endpointId)).toBe(0)
      const future = new Date(Date.now() + 86_400_000)
      expect(await deliveries.replay(tenantId, endpointId, { since: future, limit: 9 })).toBe('future')
      const { id: other } = await w.newTenant()
      expect(await deliveries.replay(other, endpointId, { since, limit: 9 })).toBe('not_found')
    })

    test('a replay while two workers claim and record loses no event, and sends none more than once again', async () => {
      const subscriber = await newSubscriber()
      const { tenantId } = subscriber
      const { id: endpointId } = await subscriber.newEndpoint()
      const sent: string[] = []
      const work = async (): Promise<void> => {
        const claimed = await subscriber.claimDue({ limit: 3 })
        for (const each of claimed) {
          sent.push(each.claim.eventId)
          expect(await subscriber.record(each)).toMatchObject({ type: 'recorded' })
        }
        if (claimed.length > 0) await work()
      }
      const replay = async (after?: PagePosition): Promise<number> => {
        const query = { since: new Date(0), limit: 4, ...(after && { after }) }
        const batch = await w.deliveries.replay(tenantId, endpointId, query)
        if (typeof batch === 'string') throw new Error(batch)
        return batch.resent + (batch.next ? await replay(batch.next) : 0)
      }
      const ended = await subscriber.emitEvents(12)
      await work()
      const made = [...ended, ...(await subscriber.emitEvents(12))]
      const [resent] = await Promise.all([replay(), work(), work()])
      await work()
      expect(sent).toHaveLength(made.length + resent)
      const times = (id: string): number => sent.filter((each) => each === id).length
      expect(ended.map(times)).toEqual(ended.map(() => 2))
      expect(made.map(times).filter((count) => count < 1 || count > 2)).toEqual([])
      const { items } = await w.deliveries.list(tenantId, endpointId, { limit: 100, status: 'delivered' })
      expect(new Map(items.map(({ eventId, attempts }) => [eventId, attempts.length]))).toEqual(
        new Map(made.map((id) => [id, times(id)])),
      )
    })

    test('a resend is due also while the endpoint is paused', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      await subscriber.record(await subscriber.claimOne())
      await subscriber.pause()
      await subscriber.emitEvent()
      await w.deliveries.resend(subscriber.tenantId, { endpointId, eventId })
      expect(await subscriber.claimDue()).toMatchObject([{ claim: { eventId }, isResend: true }])
    })

    test('a held delivery is attempted once, is held again if that fails, and counts no failure', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const ref = { endpointId, eventId }
      await subscriber.record(await subscriber.claimOne(), retryIn(60_000))
      await subscriber.pause()
      const { deliveries, webhooks } = w
      const held = await deliveries.get(subscriber.tenantId, ref)
      expect(held).toMatchObject({ status: 'held', nextAttemptAt: null, endedAt: null })
      expect(await deliveries.resend(subscriber.tenantId, ref)).toBe('committed')
      expect(await deliveries.resend(subscriber.tenantId, ref)).toBe('pending')
      const waiting = await deliveries.get(subscriber.tenantId, ref)
      expect([waiting?.status, waiting?.nextAttemptAt]).toEqual(['pending', expect.any(Date)])
      const claimed = await subscriber.claimOne()
      expect(claimed).toMatchObject({ claim: ref, isResend: true, attempt: 2 })
      expect(await deliveries.resend(subscriber.tenantId, ref)).toBe('pending')
      expect(await subscriber.record(claimed, exhausted)).toMatchObject({ consecutiveFailures: 5, hasPaused: false })
      const attempts = [...(held?.attempts ?? []), failedAttempt]
      expect(await deliveries.get(subscriber.tenantId, ref)).toEqual({ ...held, attempts })
      await w.advance(3_600)
      expect(await subscriber.claimDue()).toEqual([])

      await deliveries.resend(subscriber.tenantId, ref)
      const again = await subscriber.claimOne()
      expect(again.attempt).toBe(2)
      expect(await subscriber.record(again)).toMatchObject({ consecutiveFailures: 5 })
      expect(await deliveries.get(subscriber.tenantId, ref)).toMatchObject({ status: 'delivered' })
      const stored = await webhooks.get(subscriber.tenantId, endpointId)
      expect(stored?.endpoint).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
    })

    test('held deliveries that a resend has delivered are not requeued by a reactivation', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      await subscriber.pause()
      const held = await subscriber.emitEvents(8)
      const [first, , , fourth, , , , last] = held
      for (const eventId of [first, fourth, last])
        await w.deliveries.resend(subscriber.tenantId, { endpointId, eventId: eventId ?? '' })
      const { webhooks } = w
      expect(await webhooks.queued(subscriber.tenantId, endpointId)).toBe(8)
      const again = await subscriber.claimDue()
      expect(again.map(({ claim }) => claim.eventId).toSorted()).toEqual([first, fourth, last].toSorted())
      for (const each of again) await subscriber.record(each)
      expect(await webhooks.queued(subscriber.tenantId, endpointId)).toBe(5)
      expect(await subscriber.reactivate(endpointId)).toMatchObject({ requeued: 5, redelivered: 5 })
      await w.advance(1)
      const claimed = [...(await subscriber.claimDue({ limit: 2 })), ...(await subscriber.claimDue())]
      const ids = claimed.map(({ claim }) => claim.eventId)
      expect(new Set(ids).size).toBe(10)
      expect(ids.filter((id) => held.includes(id)).toSorted()).toEqual(
        held.filter((id) => ![first, fourth, last].includes(id)).toSorted(),
      )
    })

    test.for([true, false])('a held delivery can be resent only after its lease (claimed: %s)', async (isClaimed) => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const query = { ...allDue, leaseSeconds: 300 }
      if (isClaimed) await subscriber.claimOne(query)
      else expect(await w.deliveries.enqueue(query)).toHaveLength(1)
      await subscriber.pause()
      const ref = { endpointId, eventId }
      expect(await w.deliveries.resend(subscriber.tenantId, ref)).toBe('pending')
      await w.advance(301)
      expect(await w.deliveries.resend(subscriber.tenantId, ref)).toBe('committed')
      expect(await subscriber.claimOne()).toMatchObject({ claim: ref, isResend: true, lostLeases: isClaimed ? 1 : 0 })
    })

    test('a pending delivery is refused; an unknown one or another tenant’s is not found', async () => {
      const [subscriber, otherSubscriber] = [await newSubscriber(), await newSubscriber()]
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const { resend } = w.deliveries
      expect(await resend(subscriber.tenantId, { endpointId, eventId })).toBe('pending')
      expect(await resend(otherSubscriber.tenantId, { endpointId, eventId })).toBe('not_found')
      const unknown = w.ids.uuid(new Date())
      expect(await resend(subscriber.tenantId, { endpointId, eventId: unknown })).toBe('not_found')
    })
  })
}
