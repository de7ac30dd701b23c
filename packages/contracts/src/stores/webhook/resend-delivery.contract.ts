import { describe, expect, test } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { failed, retryIn, usePosts } from '../../fixtures/webhook/subscriber.ts'

/** A single attempt that a tenant asks for. */
export function resendingContract(open: OpenHarness): void {
  describe('resending', () => {
    const { world, openPost } = usePosts(open)
    const exhausted = { attempt: failed, decision: { type: 'exhausted' } } as const

    test.for(['delivered', 'exhausted'] as const)(
      'a delivery that is %s is tried once more; if that fails it is what it was',
      async (status) => {
        const post = await openPost()
        const { id: endpointId } = await post.newEndpoint()
        const eventId = await post.happens()
        const ref = { endpointId, eventId }
        await post.record(await post.claimOne(), status === 'exhausted' ? exhausted : {})
        const before = await world().deliveries.get(post.tenantId, ref)
        const consecutiveFailures = status === 'exhausted' ? 1 : 0
        await world().advance(60)
        expect(await world().deliveries.resend(post.tenantId, ref)).toBe('committed')
        expect(await world().deliveries.resend(post.tenantId, ref)).toBe('pending')
        expect(await world().deliveries.get(post.tenantId, ref)).toMatchObject({
          status: 'pending',
          endedAt: null,
        })
        const claimed = await post.claimOne()
        expect(claimed).toMatchObject({ claim: ref, isResend: true, attempt: 1 })
        expect(await post.record(claimed, exhausted)).toMatchObject({
          consecutiveFailures,
          hasPaused: false,
        })
        expect(await world().deliveries.get(post.tenantId, ref)).toEqual({
          ...before,
          attempts: [...(before?.attempts ?? []), failed],
        })
        await world().deliveries.resend(post.tenantId, ref)
        expect(await post.record(await post.claimOne())).toMatchObject({ consecutiveFailures })
        const after = await world().deliveries.get(post.tenantId, ref)
        expect(after?.status).toBe('delivered')
        expect(after?.attempts).toHaveLength(3)
      },
    )

    test('it is also made while the endpoint is paused', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      await post.record(await post.claimOne())
      await post.pause()
      await post.happens()
      await world().deliveries.resend(post.tenantId, { endpointId, eventId })
      expect(await post.claimDue()).toMatchObject([{ claim: { eventId }, isResend: true }])
    })

    test('one that is held is tried once: it is held again if that fails, and its ladder and the streak stay', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      const ref = { endpointId, eventId }
      await post.record(await post.claimOne(), retryIn(60_000))
      await post.pause()
      const { deliveries, webhooks } = world()
      const held = await deliveries.get(post.tenantId, ref)
      expect(held).toMatchObject({ status: 'held', nextAttemptAt: null, endedAt: null })
      expect(await deliveries.resend(post.tenantId, ref)).toBe('committed')
      expect(await deliveries.resend(post.tenantId, ref)).toBe('pending')
      const waiting = await deliveries.get(post.tenantId, ref)
      expect([waiting?.status, waiting?.nextAttemptAt]).toEqual(['pending', expect.any(Date)])
      const claimed = await post.claimOne()
      expect(claimed).toMatchObject({ claim: ref, isResend: true, attempt: 2 })
      expect(await deliveries.resend(post.tenantId, ref)).toBe('pending')
      expect(await post.record(claimed, exhausted)).toMatchObject({
        consecutiveFailures: 5,
        hasPaused: false,
      })
      const attempts = [...(held?.attempts ?? []), failed]
      expect(await deliveries.get(post.tenantId, ref)).toEqual({ ...held, attempts })
      await world().advance(3_600)
      expect(await post.claimDue()).toEqual([])

      await deliveries.resend(post.tenantId, ref)
      expect(await post.record(await post.claimOne())).toMatchObject({ consecutiveFailures: 5 })
      expect(await deliveries.get(post.tenantId, ref)).toMatchObject({ status: 'delivered' })
      const stored = await webhooks.get(post.tenantId, endpointId)
      expect(stored?.endpoint).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
    })

    test('some among many that are held are sent once, and are not sent again with the others', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      await post.pause()
      const held = await post.happen(8)
      const [first, , , fourth, , , , last] = held
      for (const eventId of [first, fourth, last])
        await world().deliveries.resend(post.tenantId, { endpointId, eventId: eventId ?? '' })
      const { webhooks } = world()
      expect(await webhooks.queued(post.tenantId, endpointId)).toBe(8)
      const again = await post.claimDue()
      expect(again.map(({ claim }) => claim.eventId).toSorted()).toEqual(
        [first, fourth, last].toSorted(),
      )
      for (const each of again) await post.record(each)
      expect(await webhooks.queued(post.tenantId, endpointId)).toBe(5)
      expect(await post.reactivate(endpointId)).toMatchObject({ requeued: 5, redelivered: 5 })
      await world().advance(1)
      const claimed = [...(await post.claimDue({ limit: 2 })), ...(await post.claimDue())]
      const ids = claimed.map(({ claim }) => claim.eventId)
      expect(new Set(ids).size).toBe(10)
      expect(ids.filter((id) => held.includes(id)).toSorted()).toEqual(
        held.filter((id) => ![first, fourth, last].includes(id)).toSorted(),
      )
    })

    test('one that is held and still out is left alone until its lease has ended', async () => {
      const post = await openPost()
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      await post.claimOne({ leaseSeconds: 300 })
      await post.pause()
      const ref = { endpointId, eventId }
      expect(await world().deliveries.resend(post.tenantId, ref)).toBe('pending')
      await world().advance(301)
      expect(await world().deliveries.resend(post.tenantId, ref)).toBe('committed')
      expect(await post.claimOne()).toMatchObject({ claim: ref, isResend: true, lostLeases: 1 })
    })

    test('one that has not ended is left alone, and an unknown one or another tenant’s is not found', async () => {
      const [post, stranger] = [await openPost(), await openPost()]
      const { id: endpointId } = await post.newEndpoint()
      const eventId = await post.happens()
      const { resend } = world().deliveries
      expect(await resend(post.tenantId, { endpointId, eventId })).toBe('pending')
      expect(await resend(stranger.tenantId, { endpointId, eventId })).toBe('not_found')
      const unknown = world().ids.uuid(new Date())
      expect(await resend(post.tenantId, { endpointId, eventId: unknown })).toBe('not_found')
    })
  })
}
