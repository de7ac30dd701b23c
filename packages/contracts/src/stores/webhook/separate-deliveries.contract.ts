import { describe, expect, test } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import {
  alertAfterSeconds,
  failedAttempt,
  retryIn,
  type Subscriber,
  useSubscribers,
  type SubscriberStores,
} from '../../fixtures/webhook/subscriber.ts'

const exhausted = { attempt: failedAttempt, decision: { type: 'exhausted' } } as const

/** Deliveries and endpoints beside others: a change of one is no change of the others. */
export function separateDeliveriesTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('beside others', () => {
    const { w, newSubscriber } = useSubscribers(open)
    const endpointOf = async ({ tenantId }: Subscriber, id: string) => (await w.webhooks.get(tenantId, id))?.endpoint
    const statusOf = async ({ tenantId }: Subscriber, endpointId: string, eventId: string) =>
      (await w.deliveries.get(tenantId, { endpointId, eventId }))?.status
    /** The one delivery of each of these endpoints that is due. */
    const claimEach = async (subscriber: Subscriber, ids: readonly string[], leaseSeconds = 30) => {
      const claimed = await subscriber.claimDue({ leaseSeconds })
      expect(claimed).toHaveLength(ids.length)
      return ids.map((id) => claimed.find(({ claim }) => claim.endpointId === id) ?? expect.fail())
    }

    test('attempts of several endpoints that are recorded at once change each its own', async () => {
      const [subscriber, other] = [await newSubscriber(), await newSubscriber()]
      const ids: string[] = []
      for (const each of [subscriber, subscriber, subscriber, other]) ids.push((await each.newEndpoint()).id)
      const [a = '', b = '', c = '', d = ''] = ids
      const [eventId, otherId] = [await subscriber.emitEvent(), await other.emitEvent()]
      const outcomes = [exhausted, {}, retryIn(60_000), exhausted]
      const claimed = await claimEach(subscriber, ids)
      const recorded = await Promise.all(claimed.map((each, n) => subscriber.record(each, outcomes[n])))
      expect(recorded).toMatchObject([1, 0, 0, 1].map((consecutiveFailures) => ({ consecutiveFailures })))
      const failures = [a, b, c].map(async (id) => (await endpointOf(subscriber, id))?.consecutiveFailures)
      expect(await Promise.all(failures)).toEqual([1, 0, 0])
      const statuses = [a, b, c].map((id) => statusOf(subscriber, id, eventId))
      expect(await Promise.all(statuses)).toEqual(['exhausted', 'delivered', 'pending'])
      expect(await statusOf(other, d, otherId)).toBe('exhausted')
      await w.advance(61)
      expect((await subscriber.claimDue()).map(({ claim }) => claim.endpointId)).toEqual([c])
    })

    test('of two records of a claim one counts, and none at a removed endpoint', async () => {
      const subscriber = await newSubscriber()
      const ids = [(await subscriber.newEndpoint()).id, (await subscriber.newEndpoint()).id]
      await subscriber.emitEvent()
      const [removed, kept] = await claimEach(subscriber, ids)
      if (!removed || !kept) throw new Error('two are due')
      await w.webhooks.remove(subscriber.tenantId, removed.claim.endpointId)
      const attempts = [removed, kept, kept]
      const recorded = await Promise.all(attempts.map((each) => subscriber.record(each, retryIn(1_000))))
      expect(recorded.map(({ type }) => type)).toEqual(['stale', 'recorded', 'stale'])
    })

    test('a paused endpoint is neither paused again nor reported to be failing', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      await subscriber.emitEvents(2)
      const claimed = await subscriber.claimDue({ leaseSeconds: 5_000 })
      await subscriber.pause()
      await w.advance(alertAfterSeconds + 1)
      for (const each of claimed) {
        const recorded = await subscriber.record(each, exhausted)
        expect(recorded).toMatchObject({ type: 'recorded', hasPaused: false })
        expect(recorded).not.toHaveProperty('isFailingLong', true)
      }
    })

    test('a pause and a reactivation concern one endpoint', async () => {
      const subscriber = await newSubscriber()
      const [a, b] = [(await subscriber.newEndpoint()).id, (await subscriber.newEndpoint()).id]
      for (let n = 0; n < 5; n++) {
        await subscriber.emitEvent()
        const [failing, waiting] = await claimEach(subscriber, [a, b])
        if (failing) await subscriber.record(failing, exhausted)
        if (waiting) await subscriber.record(waiting, retryIn(3_600_000))
      }
      expect([(await endpointOf(subscriber, a))?.status, (await endpointOf(subscriber, b))?.status]).toEqual([
        'paused',
        'active',
      ])
      await subscriber.emitEvent()
      const [next] = await claimEach(subscriber, [b])
      if (next) await subscriber.record(next)
      expect(await subscriber.reactivate(a)).toMatchObject({ requeued: 1, redelivered: 5 })
      await w.advance(1)
      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ claim }) => claim.endpointId)).toEqual(Array<string>(6).fill(a))
    })

    test('a claim by ids takes an event before its turn, and leaves the others theirs', async () => {
      const subscriber = await newSubscriber()
      const [a, b] = [(await subscriber.newEndpoint()).id, (await subscriber.newEndpoint()).id]
      const events = await subscriber.emitEvents(3)
      const ref = { endpointId: a, eventId: events[1] ?? '' }
      expect(await w.deliveries.claim(ref, 30)).toMatchObject({ claim: ref, attempt: 1, isResend: false })
      const claimed = (await subscriber.claimDue()).map(({ claim }) => `${claim.endpointId} ${claim.eventId}`)
      const expected = [a, b].flatMap((id) => events.map((event) => `${id} ${event}`))
      expect(claimed.toSorted()).toEqual(expected.filter((each) => each !== `${a} ${ref.eventId}`).toSorted())
    })

    test('a claim by ids takes one of several whose lease was lost together', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const [eventId = '', otherId = ''] = await subscriber.emitEvents(2)
      await subscriber.claimDue({ leaseSeconds: 10 })
      expect(await w.deliveries.claim({ endpointId, eventId }, 30)).toBeUndefined()
      await w.advance(11)
      expect(await w.deliveries.claim({ endpointId, eventId }, 30)).toMatchObject({ attempt: 1, lostLeases: 1 })
      expect(await subscriber.claimDue()).toMatchObject([{ claim: { eventId: otherId }, lostLeases: 1 }])
    })

    test('a claim by ids takes neither an event that the filter does not match nor another tenant’s', async () => {
      const [subscriber, other] = [await newSubscriber(), await newSubscriber()]
      const { id: endpointId } = await subscriber.newEndpoint({ events: ['payout.failed'] })
      const { id: open } = await subscriber.newEndpoint()
      await other.newEndpoint()
      const [own, foreign] = [await subscriber.emitEvent(), await other.emitEvent()]
      const { claim } = w.deliveries
      expect(await claim({ endpointId, eventId: own }, 30)).toBeUndefined()
      expect(await claim({ endpointId: open, eventId: foreign }, 30)).toBeUndefined()
      expect(await claim({ endpointId: open, eventId: own }, 30)).toBeDefined()
    })

    test('a resend at an endpoint that was paused while it caught up is not limited by its rate', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      await subscriber.pause()
      const held = await subscriber.emitEvents(3)
      await subscriber.reactivate(endpointId)
      await w.advance(1)
      await subscriber.pause()
      const eventId = held[2] ?? ''
      expect(await w.deliveries.resend(subscriber.tenantId, { endpointId, eventId })).toBe('committed')
      const byName = await w.deliveries.claim({ endpointId, eventId }, 0)
      expect(byName).toMatchObject({ isResend: true })
      await w.advance(1)
      expect(await subscriber.claimDue({ catchUpPerSecond: 0.001 })).toMatchObject([
        { claim: { eventId }, isResend: true },
      ])
    })

    test('an endpoint that catches up keeps at most one second of a share that it did not use', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.pause()
      await subscriber.emitEvents(12)
      await subscriber.reactivate(id)
      await w.advance(100)
      const slowly = { catchUpPerSecond: 5 }
      expect(await subscriber.claimDue({ ...slowly, limit: 3 })).toHaveLength(3)
      const { length } = await subscriber.claimDue(slowly)
      expect(length).toBeGreaterThanOrEqual(5)
      expect(length).toBeLessThan(14)
    })

    test('a resend of a delivered delivery stays one through a reactivation, and is not repeated', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      await subscriber.record(await subscriber.claimOne())
      await subscriber.pause()
      await w.deliveries.resend(subscriber.tenantId, { endpointId, eventId })
      expect(await subscriber.reactivate(endpointId)).toMatchObject({ requeued: 0, redelivered: 5 })
      await w.advance(1)
      const resent = (await subscriber.claimDue()).find(({ claim }) => claim.eventId === eventId) ?? expect.fail()
      expect(resent.isResend).toBe(true)
      await subscriber.record(resent, retryIn(0))
      expect(await statusOf(subscriber, endpointId, eventId)).toBe('delivered')
      await w.advance(1)
      expect(await subscriber.claimDue()).toEqual([])
    })
  })
}
