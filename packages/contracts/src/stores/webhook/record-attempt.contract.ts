import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  attemptsOnRecord,
  type AttemptRecord,
  type ClaimedDelivery,
  type DeliveryOutcome,
  consecutiveFailuresAfter,
} from '@quipu/core/adapter'
import type { OpenHarness } from '../../fixtures/harness.ts'
import {
  alertAfterSeconds,
  failedAttempt,
  pauseAfter,
  retryIn,
  useSubscribers,
  type SubscriberStores,
} from '../../fixtures/webhook/subscriber.ts'

export function recordAttemptTests(open: OpenHarness<SubscriberStores | 'events'>, runs: number): void {
  describe('recording', () => {
    const { w, newSubscriber } = useSubscribers(open)

    test('a successful attempt ends the delivery and is stored', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent('payout.failed')
      const attempt = { ...failedAttempt, statusCode: 204, error: null, excerpt: null }
      const recorded = await subscriber.record(await subscriber.claimOne(), { attempt })
      expect(recorded).toEqual({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })
      const delivery = await w.deliveries.get(subscriber.tenantId, { endpointId, eventId })
      expect(delivery).toEqual({
        tenantId: subscriber.tenantId,
        endpointId,
        eventId,
        eventType: 'payout.failed',
        createdAt: (await w.events.get(subscriber.tenantId, eventId))?.recordedAt,
        status: 'delivered',
        nextAttemptAt: null,
        endedAt: delivery?.endedAt,
        attempts: [attempt],
      })
      expect(delivery?.endedAt).toBeInstanceOf(Date)
      await w.advance(10_000)
      expect(await subscriber.claimDue()).toEqual([])
    })

    test('a retry is due after its delay and not before', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const retry = retryIn(30_000)
      await subscriber.record(await subscriber.claimOne(), retry)
      await w.advance(28)
      expect(await subscriber.claimDue()).toEqual([])
      await w.advance(3)
      const again = await subscriber.claimOne()
      expect(again).toMatchObject({ claim: { endpointId, eventId }, attempt: 2, lostLeases: 0 })
      await subscriber.record(again, retry)
      const delivery = await w.deliveries.get(subscriber.tenantId, { endpointId, eventId })
      expect(delivery).toMatchObject({ status: 'pending', endedAt: null, attempts: [failedAttempt, failedAttempt] })
      expect(delivery?.nextAttemptAt).toBeInstanceOf(Date)
    })

    test('another fencing token is stale, and one token records once', async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const claimed = await subscriber.claimOne()
      const { fencingToken } = claimed.claim
      const retry = retryIn(1)
      const last = { attempt: failedAttempt, decision: { type: 'exhausted' } } as const
      for (const wrong of [fencingToken - 1, fencingToken + 1]) {
        const other = { ...claimed, claim: { ...claimed.claim, fencingToken: wrong } }
        for (const outcome of [undefined, retry, last])
          expect(await subscriber.record(other, outcome)).toEqual({ type: 'stale' })
      }
      await subscriber.record(claimed, retry)
      expect(await subscriber.record(claimed)).toEqual({ type: 'stale' })
      const delivery = await w.deliveries.get(subscriber.tenantId, { endpointId, eventId })
      expect(delivery?.attempts).toEqual([failedAttempt])
    })

    test(`keeps the newest ${attemptsOnRecord} attempts`, async () => {
      const subscriber = await newSubscriber()
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      for (let n = 1; n <= attemptsOnRecord + 2; n++) {
        const attempt = { ...failedAttempt, latencyMs: n }
        const decision = { type: 'retry', inMs: 0 } as const
        await subscriber.record(await subscriber.claimOne(), { attempt, decision })
      }
      const delivery = await w.deliveries.get(subscriber.tenantId, { endpointId, eventId })
      const numbers = delivery?.attempts.map(({ latencyMs }) => latencyMs)
      expect(numbers).toEqual(Array.from({ length: attemptsOnRecord }, (_, i) => i + 3))
    })

    test('one record finds that no attempt has succeeded for long, until one succeeds', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      const ids = await subscriber.emitEvents(3)
      const claims = new Map<string, ClaimedDelivery>()
      for (const each of await subscriber.claimDue({ leaseSeconds: 50_000 })) claims.set(each.claim.eventId, each)
      const attempt = async (eventId = '', over: Partial<AttemptRecord> = retryIn(0)) => {
        const claimed = claims.get(eventId) ?? (await subscriber.claimOne({ deliveryClass: 'slow' }))
        claims.delete(eventId)
        const isSlow = over.decision?.type === 'retry'
        const recorded = await subscriber.record(claimed, { isSlow, ...over })
        return recorded.type === 'recorded' && recorded.isFailingLong === true
      }
      expect(await attempt(ids[0])).toBe(false)
      await w.advance(alertAfterSeconds - 2)
      expect(await attempt()).toBe(false)
      await w.advance(4)
      expect(await attempt()).toBe(true)
      expect(await attempt()).toBe(false)
      expect(await attempt(ids[1], {})).toBe(false)
      await w.advance(1)
      expect(await attempt(ids[2])).toBe(false)
      await w.advance(alertAfterSeconds + 1)
      expect(await attempt()).toBe(true)
    })

    test('a delivery at the first attempt ends the time in which none has succeeded', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      await subscriber.emitEvents(2)
      const [failing, arriving] = await subscriber.claimDue()
      if (!failing || !arriving) throw new Error('two are due')
      await subscriber.record(failing, retryIn(0))
      await subscriber.record(arriving)
      await w.advance(alertAfterSeconds + 1)
      expect(await subscriber.record(await subscriber.claimOne(), retryIn(0))).not.toHaveProperty('isFailingLong', true)
    })

    test('five consecutive exhausted deliveries pause the endpoint, whose deliveries are then not claimed', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(7)
      const seen = []
      for (let i = 0; i < pauseAfter; i++) seen.push(await subscriber.exhaust())
      expect(seen).toEqual(
        [1, 2, 3, 4, 5].map((consecutiveFailures) => ({
          type: 'recorded',
          consecutiveFailures,
          hasPaused: consecutiveFailures === 5,
        })),
      )
      const stored = await w.webhooks.get(subscriber.tenantId, id)
      expect(stored?.endpoint).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
      expect(stored?.endpoint.pausedAt).toBeInstanceOf(Date)
      await subscriber.emitEvent()
      expect(await subscriber.claimDue()).toEqual([])
      expect(await w.webhooks.queued(subscriber.tenantId, id)).toBe(3)
    })

    test('twelve concurrent exhausted deliveries are all counted, and pause the endpoint once', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(12)
      const decision = { type: 'exhausted' } as const
      const claimed = await subscriber.claimDue()
      const seen = await Promise.all(
        claimed.map((each) => subscriber.record(each, { attempt: failedAttempt, decision })),
      )
      const failures = seen.map((each) => (each.type === 'recorded' ? each.consecutiveFailures : 0))
      expect(failures.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
      expect(seen.filter((each) => each.type === 'recorded' && each.hasPaused)).toHaveLength(1)
      expect((await w.webhooks.get(subscriber.tenantId, id))?.endpoint).toMatchObject({
        status: 'paused',
        consecutiveFailures: 12,
      })
    })

    test('attempts claimed before the pause are recorded; a success does not reactivate the endpoint', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(2)
      const [first, second] = await subscriber.claimDue({ limit: 2 })
      if (!first || !second) throw new Error('two are due')
      await subscriber.pause()
      await subscriber.record(first, retryIn(0))
      expect(await subscriber.record(second)).toEqual({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })
      const stored = await w.webhooks.get(subscriber.tenantId, id)
      expect(stored?.endpoint).toMatchObject({ status: 'paused', consecutiveFailures: 0 })
      expect(await subscriber.claimDue()).toEqual([])
    })

    test('consecutive failures equal the model after random endings', async () => {
      const anyEndings = fc.array(fc.constantFrom<DeliveryOutcome>('delivered', 'exhausted', 'exhausted'), {
        maxLength: 14,
      })
      await fc.assert(
        fc.asyncProperty(anyEndings, async (endings) => {
          const subscriber = await newSubscriber()
          const { id } = await subscriber.newEndpoint()
          await subscriber.emitEvents(endings.length)
          const claimed = await subscriber.claimDue()
          let [consecutiveFailures, isPaused] = [0, false]
          for (const [n, ending] of endings.entries()) {
            const each = claimed[n]
            if (each) await subscriber.record(each, { attempt: failedAttempt, decision: { type: ending } })
            consecutiveFailures = consecutiveFailuresAfter(consecutiveFailures, ending)
            isPaused ||= consecutiveFailures >= pauseAfter
          }
          const stored = await w.webhooks.get(subscriber.tenantId, id)
          expect(stored?.endpoint).toMatchObject({ consecutiveFailures, status: isPaused ? 'paused' : 'active' })
        }),
        { numRuns: runs },
      )
    })
  })
}
