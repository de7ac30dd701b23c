import { describe, expect, test } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { allDue, usePosts } from '../../fixtures/webhook/subscriber.ts'

/** What a queue is told of, and what a worker may claim that it tells of. */
export function handingOutContract(open: OpenHarness): void {
  describe('handing out', () => {
    const { world, openPost } = usePosts(open)

    test('what is handed out is claimed by its name, once, and by nobody else', async () => {
      const post = await openPost()
      const { deliveries } = world()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      const handed = await deliveries.enqueue(allDue)
      expect(handed).toEqual([{ endpointId, eventId, tenantId: post.tenantId }])
      expect(await deliveries.enqueue(allDue)).toEqual([])
      expect(await post.claimDue()).toEqual([])
      const ref = { endpointId, eventId }
      const copies = await Promise.all([1, 2, 3].map(() => deliveries.claim(ref, 30)))
      const [claimed, ...more] = copies.filter((copy) => copy !== undefined)
      expect(more).toEqual([])
      expect(claimed).toMatchObject({ claim: ref, attempt: 1, lostLeases: 0 })
      if (claimed) await post.record(claimed)
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
    })

    test('what was handed out and claimed by nobody is due again when the time is over', async () => {
      const post = await openPost()
      const { deliveries, advance } = world()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      await deliveries.enqueue({ ...allDue, leaseSeconds: 60 })
      await advance(58)
      expect(await post.claimDue()).toEqual([])
      await advance(3)
      expect(await deliveries.enqueue(allDue)).toMatchObject([{ endpointId, eventId }])
    })

    test('what is taken back is due at once; what somebody has claimed meanwhile is left alone', async () => {
      const post = await openPost()
      const { deliveries } = world()
      await post.newEndpoint()
      await post.happen(2)
      const [one, other] = await deliveries.enqueue(allDue)
      if (!one || !other) throw new Error('two were due')
      const claimed = await deliveries.claim(one, 30)
      await deliveries.requeue([one, other])
      expect(await post.claimDue()).toMatchObject([{ claim: { eventId: other.eventId } }])
      expect(await deliveries.claim(one, 30)).toBeUndefined()
      if (claimed) expect(await post.record(claimed)).toMatchObject({ type: 'recorded' })
    })

    test('what is handed out counts as out', async () => {
      const post = await openPost()
      await post.newEndpoint()
      await post.happen(5)
      const query = { ...allDue, perEndpoint: 3 }
      expect(await world().deliveries.enqueue(query)).toHaveLength(3)
      expect(await world().deliveries.enqueue(query)).toEqual([])
      expect(await post.claimDue({ perEndpoint: 3 })).toEqual([])
      expect(await post.claimDue({ perTenant: 3 })).toEqual([])
    })

    test('by its name nobody claims what is later, held, unknown or gone', async () => {
      const post = await openPost()
      const { deliveries, webhooks } = world()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      const ref = { endpointId, eventId }
      const unknown = world().ids.uuid(new Date())
      expect(await deliveries.claim({ endpointId, eventId: unknown }, 30)).toBeUndefined()
      const claimed = await post.claimOne()
      await post.record(claimed, { decision: { type: 'retry', inMs: 60_000 } })
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
      await post.pause()
      await world().advance(61)
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
      await post.reactivate(endpointId)
      await webhooks.remove(post.tenantId, endpointId)
      expect(await deliveries.claim(ref, 30)).toBeUndefined()
      expect(await post.claimDue()).toEqual([])
    })
  })
}
