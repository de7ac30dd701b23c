import { describe, expect, test } from 'vitest'
import type { DeliveryRef } from '@quipu/core'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { failed, type Post, retryIn, usePosts } from '../../fixtures/webhook/subscriber.ts'

const dueNow = async (post: Post): Promise<string[]> =>
  (await post.claimDue()).map(({ claim }) => claim.eventId).toSorted()

/** What comes back when a paused endpoint is wanted again. */
export function reactivatingContract(open: OpenHarness): void {
  describe('reactivating', () => {
    const { world, openPost } = usePosts(open)

    test('what was held and what ran out of attempts is due, each with a fresh ladder', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      const retried = await post.happens()
      await post.record(await post.claimOne(), retryIn(3_600_000))
      await post.pause()
      const held = await post.happen(2)
      const reactivated = await post.reactivate(id)
      expect(reactivated).toMatchObject({
        requeued: 3,
        redelivered: 5,
        endpoint: { status: 'active', consecutiveFailures: 0, pausedAt: null },
      })
      await world().advance(1)
      const claimed = await post.claimDue()
      expect(claimed.map(({ attempt, isResend }) => (isResend ? 0 : attempt))).toEqual(
        Array<number>(8).fill(1),
      )
      const ids = claimed.map(({ claim }) => claim.eventId)
      expect(ids).toEqual(expect.arrayContaining([retried, ...held]))
      const { items } = await world().deliveries.list(post.tenantId, id, { limit: 50 })
      expect(items.map(({ status }) => status)).toEqual(Array<string>(8).fill('pending'))
    })

    test.each(['what is due', 'by name'])(
      'fresh ladders are climbed from their first step, and not begun again at each (claimed: %s)',
      async (way) => {
        const posts = [await openPost(), await openPost()] as const
        const retry = retryIn(1_000)
        const reactivate: (() => Promise<unknown>)[] = []
        const retried: DeliveryRef[] = []
        for (const post of posts) {
          const { id } = await post.newEndpoint()
          await post.happen(2)
          for (const claimed of await post.claimDue()) {
            retried.push(claimed.claim)
            await post.record(claimed, retry)
          }
          await post.pause()
          reactivate.push(() => post.reactivate(id))
        }
        for (const each of reactivate) await each()

        const ids = new Set(retried.map(({ eventId }) => eventId))
        const claim = async () =>
          way === 'by name'
            ? Promise.all(retried.map((ref) => world().deliveries.claim(ref, 30)))
            : (await posts[0].claimDue()).filter((each) => ids.has(each.claim.eventId))
        for (const attempt of [1, 2, 3]) {
          await world().advance(2)
          const claims = await claim()
          expect(claims.map((each) => each?.attempt)).toEqual(retried.map(() => attempt))
          for (const each of claims) if (each) await posts[0].record(each, retry)
        }
      },
    )

    test('what ran out of attempts more than seven days ago is not', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.pause()
      await world().advance(7 * 86_400 - 60)
      expect(await post.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 5 })
      await world().advance(1)
      for (let i = 0; i < 5; i++) await post.exhaust()
      await world().advance(7 * 86_400 + 1)
      expect(await post.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      expect(await dueNow(post)).toEqual([])
    })

    test('on an active endpoint what ran out of attempts comes back; doing it twice changes nothing more', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.happen(2)
      const lost = (await post.claimOne()).claim.eventId
      await world().advance(31)
      const claimed = (await post.claimDue()).find(({ claim }) => claim.eventId === lost)
      if (claimed) await post.record(claimed, { attempt: failed, decision: { type: 'exhausted' } })
      expect(await post.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 1 })
      expect(await post.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      await world().advance(1)
      expect(await dueNow(post)).toEqual([lost])
    })

    test('on an active endpoint what waits for a later attempt is due at once, with a fresh ladder', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.happen(3)
      const [a, b, out] = await post.claimDue()
      if (!a || !b || !out) throw new Error('three are due')
      for (const each of [a, b]) await post.record(each, retryIn(3_600_000))
      await post.happens() // Due already.
      expect(await post.reactivate(id)).toMatchObject({ requeued: 2, redelivered: 0 })
      expect(await post.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      await world().advance(1)
      const claimed = await post.claimDue()
      expect(claimed.map(({ attempt }) => attempt)).toEqual([1, 1, 1])
      const ids = claimed.map(({ claim }) => claim.eventId)
      expect(ids).toEqual(expect.arrayContaining([a.claim.eventId, b.claim.eventId]))
      expect(ids).not.toContain(out.claim.eventId)
    })

    test.each(['waits for its attempt', 'is under way', 'has failed'])(
      'a held delivery whose resend %s comes back with the others',
      async (state) => {
        const post = await openPost()
        const { id: endpointId } = await post.newEndpoint()
        await post.pause()
        const eventId = await post.happens()
        const ref = { endpointId, eventId }
        await world().deliveries.resend(post.tenantId, ref)
        const out = state === 'waits for its attempt' ? undefined : await post.claimOne()
        const last = { attempt: failed, decision: { type: 'exhausted' } } as const
        if (out && state === 'has failed') await post.record(out, last)
        expect(await post.reactivate(endpointId)).toMatchObject({ requeued: 1, redelivered: 5 })
        if (out && state === 'is under way')
          expect(await post.record(out, last)).toMatchObject({
            consecutiveFailures: 0,
            hasPaused: false,
          })
        await world().advance(1)
        const again = (await post.claimDue()).find(({ claim }) => claim.eventId === eventId)
        expect(again).toMatchObject({ attempt: 1, isResend: false })
      },
    )

    test('an attempt that is under way stays counted when nothing is sent sooner', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.happens()
      const claimed = await post.claimOne()
      expect(await post.reactivate(id)).toMatchObject({ requeued: 0, redelivered: 0 })
      await post.record(claimed, retryIn(1_000))
      await world().advance(2)
      expect(await post.claimDue()).toMatchObject([{ attempt: 2 }])
    })

    test('an unknown endpoint, and another tenant’s, is not reactivated', async () => {
      const [post, stranger] = [await openPost(), await openPost()]
      const { id } = await post.newEndpoint()
      await post.pause()
      await expect(stranger.reactivate(id)).rejects.toThrow('no endpoint')
      expect((await world().webhooks.get(post.tenantId, id))?.endpoint.status).toBe('paused')
    })

    test('a receiver that comes back gets a few a second until it has caught up, and then all', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      await post.pause()
      await post.happen(15)
      await post.reactivate(id)
      const slowly = { catchUpPerSecond: 5 }
      await world().advance(2)
      const { length: first } = await post.claimDue(slowly)
      expect(first).toBeGreaterThanOrEqual(10)
      expect(first).toBeLessThan(15)
      expect(await post.claimDue(slowly)).toHaveLength(0)
      await world().advance(10)
      expect(await post.claimDue(slowly)).toHaveLength(20 - first)
      await post.happen(30)
      expect(await post.claimDue(slowly)).toHaveLength(30)
    })

    test('a delivery that is being sent again meanwhile comes back with the others', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      await post.pause()
      const [lost] = (await world().deliveries.list(post.tenantId, endpointId, { limit: 1 })).items
      const ref = { endpointId, eventId: lost?.eventId ?? '' }
      await world().deliveries.resend(post.tenantId, ref)
      const out = await post.claimOne()
      expect(out).toMatchObject({ claim: ref, isResend: true })
      expect(await post.reactivate(endpointId)).toMatchObject({ requeued: 0, redelivered: 5 })
      const decision = { type: 'exhausted' } as const
      const recorded = await post.record(out, { attempt: failed, decision })
      expect(recorded).toEqual({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })
      await world().advance(1)
      const claimed = await post.claimDue()
      expect(claimed.map(({ attempt, isResend }) => (isResend ? 0 : attempt))).toEqual(
        Array<number>(5).fill(1),
      )
    })

    test('one of more than seven days ago that is being sent again stays what it was', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      await post.exhaust()
      await world().advance(7 * 86_400 + 1)
      await world().deliveries.resend(post.tenantId, { endpointId, eventId })
      const out = await post.claimOne()
      expect(await post.reactivate(endpointId)).toMatchObject({ requeued: 0, redelivered: 0 })
      await post.record(out, { attempt: failed, decision: { type: 'exhausted' } })
      const delivery = await world().deliveries.get(post.tenantId, { endpointId, eventId })
      expect(delivery?.status).toBe('exhausted')
    })

    test('an attempt that was the last of the old ladder, and fails after the reactivation, is tried again', async () => {
      const post = await openPost()
      const { id } = await post.newEndpoint()
      const eventId = await post.happens()
      const out = await post.claimOne()
      await post.pause()
      expect(await post.reactivate(id)).toMatchObject({ requeued: 1, redelivered: 5 })
      const decision = { type: 'exhausted' } as const
      const recorded = await post.record(out, { attempt: failed, decision })
      expect(recorded).toEqual({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })
      await world().advance(1)
      const again = (await post.claimDue()).find(({ claim }) => claim.eventId === eventId)
      expect(again).toMatchObject({ attempt: 1 })
    })
  })
}
