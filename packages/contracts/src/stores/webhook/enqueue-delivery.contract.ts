import { describe, expect, test } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { allDue, useSubscribers, type SubscriberStores } from '../../fixtures/webhook/subscriber.ts'

export function enqueueDeliveryTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('enqueueing', () => {
    const { w, newSubscriber } = useSubscribers(open)

    test('an enqueued delivery can be claimed by its ids only, once', async () => {
      const subscriber = await newSubscriber()
      const { deliveries } = w
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const handed = await deliveries.enqueue(allDue)
      expect(handed).toEqual([{ endpointId, eventId, tenantId: subscriber.tenantId, wasQueued: false }])
      expect(await deliveries.enqueue(allDue)).toEqual([])
      expect(await subscriber.claimDue()).toEqual([])
      const ref = { endpointId, eventId }
      const copies = await Promise.all([1, 2, 3].map(() => deliveries.claim(ref, 30)))
      const [claimed, ...more] = copies.filter((copy) => copy !== undefined)
      expect(more).toEqual([])
      expect(claimed).toMatchObject({ claim: ref, attempt: 1, lostLeases: 0 })
      if (claimed) await subscriber.record(claimed)
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
    })

    test('an enqueued delivery that is not claimed is due again after `leaseSeconds`', async () => {
      const subscriber = await newSubscriber()
      const { deliveries, advance } = w
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      await deliveries.enqueue({ ...allDue, leaseSeconds: 60 })
      await advance(58)
      expect(await subscriber.claimDue()).toEqual([])
      await advance(3)
      expect(await deliveries.enqueue(allDue)).toMatchObject([{ endpointId, eventId, wasQueued: true }])
    })

    test('a delivery that was queued and not claimed comes before later events, until it is claimed', async () => {
      const subscriber = await newSubscriber()
      const { deliveries, advance } = w
      await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      await deliveries.enqueue({ ...allDue, leaseSeconds: 10 })
      await advance(1)
      const laterId = await subscriber.emitEvent()
      await advance(11)
      const one = { ...allDue, limit: 1 }
      const [unclaimed] = await deliveries.enqueue(one)
      expect(unclaimed).toMatchObject({ eventId, wasQueued: true })
      if (unclaimed) await deliveries.requeue([unclaimed])
      expect(await deliveries.enqueue(one)).toMatchObject([{ eventId, wasQueued: true }])
      if (unclaimed) await deliveries.requeue([unclaimed])
      const claimed = await subscriber.claimOne()
      expect(claimed.claim.eventId).toBe(eventId)
      await subscriber.record(claimed, { decision: { type: 'retry', inMs: 1_000 } })
      await advance(2)
      const due = await deliveries.enqueue(allDue)
      expect(due.map((each) => [each.eventId, each.wasQueued]).toSorted()).toEqual(
        [eventId, laterId].map((id) => [id, false]).toSorted(),
      )
    })

    test('requeue makes deliveries due at once, except claimed ones', async () => {
      const subscriber = await newSubscriber()
      const { deliveries } = w
      await subscriber.newEndpoint()
      await subscriber.emitEvents(2)
      const [one, other] = await deliveries.enqueue(allDue)
      if (!one || !other) throw new Error('two were due')
      const claimed = await deliveries.claim(one, 30)
      await deliveries.requeue([one, other])
      expect(await subscriber.claimDue()).toMatchObject([{ claim: { eventId: other.eventId } }])
      expect(await deliveries.claim(one, 30)).toBeUndefined()
      if (claimed) expect(await subscriber.record(claimed)).toMatchObject({ type: 'recorded' })
    })

    test('enqueued deliveries count towards `perEndpoint` and `perTenant`', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      await subscriber.emitEvents(5)
      const query = { ...allDue, perEndpoint: 3 }
      expect(await w.deliveries.enqueue(query)).toHaveLength(3)
      expect(await w.deliveries.enqueue(query)).toEqual([])
      expect(await subscriber.claimDue({ perEndpoint: 3 })).toEqual([])
      expect(await subscriber.claimDue({ perTenant: 3 })).toEqual([])
    })

    test('claim by ids finds nothing that is not due, paused, unknown or removed', async () => {
      const subscriber = await newSubscriber()
      const { deliveries, webhooks } = w
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const ref = { endpointId, eventId }
      const unknown = w.ids.uuid(new Date())
      expect(await deliveries.claim({ endpointId, eventId: unknown }, 30)).toBeUndefined()
      const claimed = await subscriber.claimOne()
      await subscriber.record(claimed, { decision: { type: 'retry', inMs: 60_000 } })
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
      await subscriber.pause()
      await w.advance(61)
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
      await subscriber.reactivate(endpointId)
      await webhooks.remove(subscriber.tenantId, endpointId)
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
      expect(await subscriber.claimDue()).toEqual([])
    })
  })
}
