import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attemptsOnRecord, type DeliveryOutcome, consecutiveFailuresAfter } from '@quipu/core'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { failed, pauseAfter, retryIn, usePosts } from '../../fixtures/webhook/subscriber.ts'

/** What an attempt leaves behind. */
export function recordingContract(open: OpenHarness, runs: number): void {
  describe('recording', () => {
    const { world, openPost } = usePosts(open)

    test('a delivery that has arrived has ended, with its attempt on record', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens('payout.failed')
      const attempt = { ...failed, statusCode: 204, error: null, excerpt: null }
      const recorded = await post.record(await post.claimOne(), { attempt })
      expect(recorded).toEqual({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })
      const delivery = await world().deliveries.get(post.tenantId, { endpointId, eventId })
      expect(delivery).toEqual({
        tenantId: post.tenantId,
        endpointId,
        eventId,
        eventType: 'payout.failed',
        createdAt: (await world().events.get(post.tenantId, eventId))?.recordedAt,
        status: 'delivered',
        nextAttemptAt: null,
        endedAt: delivery?.endedAt,
        attempts: [attempt],
      })
      expect(delivery?.endedAt).toBeInstanceOf(Date)
      await world().advance(10_000)
      expect(await post.claimDue()).toEqual([])
    })

    test('a retry is due when its time has come and not before', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      const retry = retryIn(30_000)
      await post.record(await post.claimOne(), retry)
      await world().advance(28)
      expect(await post.claimDue()).toEqual([])
      await world().advance(3)
      const again = await post.claimOne()
      expect(again).toMatchObject({ claim: { endpointId, eventId }, attempt: 2, lostLeases: 0 })
      await post.record(again, retry)
      const delivery = await world().deliveries.get(post.tenantId, { endpointId, eventId })
      expect(delivery).toMatchObject({
        status: 'pending',
        endedAt: null,
        attempts: [failed, failed],
      })
      expect(delivery?.nextAttemptAt).toBeInstanceOf(Date)
    })

    test('nothing is written under a fence that is not the newest, nor twice under one that is', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      const claimed = await post.claimOne()
      const { fencingToken } = claimed.claim
      const retry = retryIn(1)
      const last = { attempt: failed, decision: { type: 'exhausted' } } as const
      for (const wrong of [fencingToken - 1, fencingToken + 1]) {
        const other = { ...claimed, claim: { ...claimed.claim, fencingToken: wrong } }
        for (const outcome of [undefined, retry, last])
          expect(await post.record(other, outcome)).toEqual({ type: 'stale' })
      }
      await post.record(claimed, retry)
      expect(await post.record(claimed)).toEqual({ type: 'stale' })
      const delivery = await world().deliveries.get(post.tenantId, { endpointId, eventId })
      expect(delivery?.attempts).toEqual([failed])
    })

    test(`the newest ${attemptsOnRecord} attempts stay on record`, async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      for (let n = 1; n <= attemptsOnRecord + 2; n++) {
        const attempt = { ...failed, latencyMs: n }
        const decision = { type: 'retry', inMs: 0 } as const
        await post.record(await post.claimOne(), { attempt, decision })
      }
      const delivery = await world().deliveries.get(post.tenantId, { endpointId, eventId })
      const numbers = delivery?.attempts.map(({ latencyMs }) => latencyMs)
      expect(numbers).toEqual(Array.from({ length: attemptsOnRecord }, (_, i) => i + 3))
    })

    test('five in a row that run out of attempts pause the endpoint, and then nothing is claimed', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.happen(7)
      const seen = []
      for (let i = 0; i < pauseAfter; i++) seen.push(await post.exhaust())
      expect(seen).toEqual(
        [1, 2, 3, 4, 5].map((consecutiveFailures) => ({
          type: 'recorded',
          consecutiveFailures,
          hasPaused: consecutiveFailures === 5,
        })),
      )
      const stored = await world().webhooks.get(post.tenantId, id)
      expect(stored?.endpoint).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
      expect(stored?.endpoint.pausedAt).toBeInstanceOf(Date)
      await post.happens()
      expect(await post.claimDue()).toEqual([])
      expect(await world().webhooks.queued(post.tenantId, id)).toBe(3)
    })

    test('twelve that run out of attempts at once are counted each, and pause it once', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.happen(12)
      const decision = { type: 'exhausted' } as const
      const claimed = await post.claimDue()
      const seen = await Promise.all(
        claimed.map((each) => post.record(each, { attempt: failed, decision })),
      )
      const streaks = seen.map((each) => (each.type === 'recorded' ? each.consecutiveFailures : 0))
      expect(streaks.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
      expect(seen.filter((each) => each.type === 'recorded' && each.hasPaused)).toHaveLength(1)
      expect((await world().webhooks.get(post.tenantId, id))?.endpoint).toMatchObject({
        status: 'paused',
        consecutiveFailures: 12,
      })
    })

    test('what was out when the endpoint was paused is recorded as ever; a success does not wake it', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.happen(2)
      const [first, second] = await post.claimDue({ limit: 2 })
      if (!first || !second) throw new Error('two are due')
      await post.pause()
      await post.record(first, retryIn(0))
      expect(await post.record(second)).toEqual({
        type: 'recorded',
        consecutiveFailures: 0,
        hasPaused: false,
      })
      const stored = await world().webhooks.get(post.tenantId, id)
      expect(stored?.endpoint).toMatchObject({ status: 'paused', consecutiveFailures: 0 })
      expect(await post.claimDue()).toEqual([])
    })

    test('the streak is what the endings in their order come to', async () => {
      const anyEndings = fc.array(
        fc.constantFrom<DeliveryOutcome>('delivered', 'exhausted', 'exhausted'),
        {
          maxLength: 14,
        },
      )
      await fc.assert(
        fc.asyncProperty(anyEndings, async (endings) => {
          const post = await openPost()
          const { id } = await post.newEndpoint()
          await post.happen(endings.length)
          const claimed = await post.claimDue()
          let [consecutiveFailures, isPaused] = [0, false]
          for (const [n, ending] of endings.entries()) {
            const each = claimed[n]
            if (each) await post.record(each, { attempt: failed, decision: { type: ending } })
            consecutiveFailures = consecutiveFailuresAfter(consecutiveFailures, ending)
            isPaused ||= consecutiveFailures >= pauseAfter
          }
          const stored = await world().webhooks.get(post.tenantId, id)
          expect(stored?.endpoint).toMatchObject({
            consecutiveFailures,
            status: isPaused ? 'paused' : 'active',
          })
        }),
        { numRuns: runs },
      )
    })
  })
}
