import { describe, expect, test } from 'vitest'
import type { DeliveryRef } from '@quipu/core/adapter'
import type { OpenHarness } from '../../fixtures/harness.ts'
import {
  failedAttempt,
  type Subscriber,
  retryIn,
  useSubscribers,
  type SubscriberStores,
} from '../../fixtures/webhook/subscriber.ts'

const dueNow = async (subscriber: Subscriber): Promise<string[]> =>
  (await subscriber.claimDue()).map(({ claim }) => claim.eventId).toSorted()

export function reactivateEndpointTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('reactivating', () => {
    const { w, newSubscriber } = useSubscribers(open)

    test('held and exhausted deliveries are due, each with a new retry schedule', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      const retried = await subscriber.emitEvent()
      await subscriber.record(await subscriber.claimOne(), retryIn(3_600_000))
      await subscriber.pause()
      const held = await subscriber.emitEvents(2)
      const reactivated = await subscriber.reactivate(id)
      expect(reactivated).toMatchObject({
        requeued: 3,
        redelivered: 5,
        endpoint: { status: 'active', consecutiveFailures: 0, pausedAt: null },
      })
      await w.advance(1)
      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ attempt, isResend }) => (isResend ? 0 : attempt))).toEqual(Array<number>(8).fill(1))
      const ids = claimed.map(({ claim }) => claim.eventId)
      expect(ids).toEqual(expect.arrayContaining([retried, ...held]))
      const { items } = await w.deliveries.list(subscriber.tenantId, id, { limit: 50 })
      expect(items.map(({ status }) => status)).toEqual(Array<string>(8).fill('pending'))
    })

    test.each(['when due', 'by ids'])(
      'a new retry schedule starts once and then advances (claimed: %s)',
      async (way) => {
        const subscribers = [await newSubscriber(), await newSubscriber()] as const
        const retry = retryIn(1_000)
        const reactivate: (() => Promise<unknown>)[] = []
        const retried: DeliveryRef[] = []
        for (const subscriber of subscribers) {
          const { id } = await subscriber.newEndpoint()
          await subscriber.emitEvents(2)
          for (const claimed of await subscriber.claimDue()) {
            retried.push(claimed.claim)
            await subscriber.record(claimed, retry)
          }
          await subscriber.pause()
          reactivate.push(() => subscriber.reactivate(id))
        }
        for (const each of reactivate) await each()

        const ids = new Set(retried.map(({ eventId }) => eventId))
        const claim = async () =>
          way === 'by ids'
            ? Promise.all(retried.map((ref) => w.deliveries.claim(ref, 30)))
            : (await subscribers[0].claimDue()).filter((each) => ids.has(each.claim.eventId))
        for (const attempt of [1, 2, 3]) {
          await w.advance(2)
          const claims = await claim()
          expect(claims.map((each) => each?.attempt)).toEqual(retried.map(() => attempt))
          for (const each of claims) if (each) await subscribers[0].record(each, retry)
        }
      },
    )

    test('deliveries exhausted more than seven days ago are not due', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.pause()
      await w.advance(7 * 86_400 - 60)
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 5 })
      await w.advance(1)
      for (let i = 0; i < 5; i++) await subscriber.exhaust()
      await w.advance(7 * 86_400 + 1)
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      expect(await dueNow(subscriber)).toEqual([])
    })

    test('on an active endpoint exhausted deliveries are due; a second call changes nothing', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(2)
      const lost = (await subscriber.claimOne()).claim.eventId
      await w.advance(31)
      const claimed = (await subscriber.claimDue()).find(({ claim }) => claim.eventId === lost)
      if (claimed) await subscriber.record(claimed, { attempt: failedAttempt, decision: { type: 'exhausted' } })
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 1 })
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      await w.advance(1)
      expect(await dueNow(subscriber)).toEqual([lost])
    })

    test('on an active endpoint deliveries that wait for a retry are due at once, with a new retry schedule', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(3)
      const [a, b, out] = await subscriber.claimDue()
      if (!a || !b || !out) throw new Error('three are due')
      for (const each of [a, b]) await subscriber.record(each, retryIn(3_600_000))
      await subscriber.emitEvent() // Already due.
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 2, redelivered: 0 })
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      await w.advance(1)
      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ attempt }) => attempt)).toEqual([1, 1, 1])
      const ids = claimed.map(({ claim }) => claim.eventId)
      expect(ids).toEqual(expect.arrayContaining([a.claim.eventId, b.claim.eventId]))
      expect(ids).not.toContain(out.claim.eventId)
    })

    test.each(['is due', 'is claimed', 'has failed'])(
      'a held delivery whose resend %s is requeued with the others',
      async (state) => {
        const subscriber = await newSubscriber()
        const { id: endpointId } = await subscriber.newEndpoint()
        await subscriber.pause()
        const eventId = await subscriber.emitEvent()
        const ref = { endpointId, eventId }
        await w.deliveries.resend(subscriber.tenantId, ref)
        const out = state === 'is due' ? undefined : await subscriber.claimOne()
        const last = { attempt: failedAttempt, decision: { type: 'exhausted' } } as const
        if (out && state === 'has failed') await subscriber.record(out, last)
        expect(await subscriber.reactivate(endpointId)).toMatchObject({ requeued: 1, redelivered: 5 })
        if (out && state === 'is claimed')
          expect(await subscriber.record(out, last)).toMatchObject({ consecutiveFailures: 0, hasPaused: false })
        await w.advance(1)
        const again = (await subscriber.claimDue()).find(({ claim }) => claim.eventId === eventId)
        expect(again).toMatchObject({ attempt: 1, isResend: false })
      },
    )

    test('a claimed attempt stays counted when nothing is requeued', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvent()
      const claimed = await subscriber.claimOne()
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      await subscriber.record(claimed, retryIn(1_000))
      await w.advance(2)
      expect(await subscriber.claimDue()).toMatchObject([{ attempt: 2 }])
    })

    test('another tenant cannot reactivate the endpoint', async () => {
      const [subscriber, otherSubscriber] = [await newSubscriber(), await newSubscriber()]
      const { id } = await subscriber.newEndpoint()
      await subscriber.pause()
      await expect(otherSubscriber.reactivate(id)).rejects.toThrow('no endpoint')
      expect((await w.webhooks.get(subscriber.tenantId, id))?.endpoint.status).toBe('paused')
    })

    test('limits claims to `catchUpPerSecond` until the endpoint has caught up', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.pause()
      await subscriber.emitEvents(15)
      await subscriber.reactivate(id)
      const slowly = { catchUpPerSecond: 5 }
      await w.advance(2)
      const { length: first } = await subscriber.claimDue(slowly)
      expect(first).toBeGreaterThanOrEqual(10)
      expect(first).toBeLessThan(15)
      expect(await subscriber.claimDue(slowly)).toHaveLength(0)
      await w.advance(10)
      expect(await subscriber.claimDue(slowly)).toHaveLength(20 - first)
      await subscriber.emitEvents(30)
      expect(await subscriber.claimDue(slowly)).toHaveLength(30)
    })

    test('an exhausted delivery with a claimed resend is redelivered with the others', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      await subscriber.pause()
      const [lost] = (await w.deliveries.list(subscriber.tenantId, endpointId, { limit: 1 })).items
      const ref = { endpointId, eventId: lost?.eventId ?? '' }
      await w.deliveries.resend(subscriber.tenantId, ref)
      const out = await subscriber.claimOne()
      expect(out).toMatchObject({ claim: ref, isResend: true })
      expect(await subscriber.reactivate(endpointId)).toMatchObject({ requeued: 0, redelivered: 5 })
      const decision = { type: 'exhausted' } as const
      const recorded = await subscriber.record(out, { attempt: failedAttempt, decision })
      expect(recorded).toEqual({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })
      await w.advance(1)
      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ attempt, isResend }) => (isResend ? 0 : attempt))).toEqual(Array<number>(5).fill(1))
    })

    test('a delivery exhausted more than seven days ago stays exhausted after a failed resend', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      await subscriber.exhaust()
      await w.advance(7 * 86_400 + 1)
      await w.deliveries.resend(subscriber.tenantId, { endpointId, eventId })
      const out = await subscriber.claimOne()
      expect(await subscriber.reactivate(endpointId)).toMatchObject({ requeued: 0, redelivered: 0 })
      await subscriber.record(out, { attempt: failedAttempt, decision: { type: 'exhausted' } })
      const delivery = await w.deliveries.get(subscriber.tenantId, { endpointId, eventId })
      expect(delivery?.status).toBe('exhausted')
    })

    test('a last attempt that fails after the reactivation is retried with a new schedule', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const out = await subscriber.claimOne()
      await subscriber.pause()
      expect(await subscriber.reactivate(id)).toMatchObject({ requeued: 1, redelivered: 5 })
      const decision = { type: 'exhausted' } as const
      const recorded = await subscriber.record(out, { attempt: failedAttempt, decision })
      expect(recorded).toEqual({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })
      await w.advance(1)
      const again = (await subscriber.claimDue()).find(({ claim }) => claim.eventId === eventId)
      expect(again).toMatchObject({ attempt: 1 })
    })
  })
}
