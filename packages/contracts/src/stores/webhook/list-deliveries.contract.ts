import { describe, expect, test } from 'vitest'
import type { OpenHarness, World } from '../../fixtures/harness.ts'
import { expectPages, newestFirst } from '../../fixtures/pages.ts'
import { failedAttempt, retryIn, useSubscribers, type SubscriberStores } from '../../fixtures/webhook/subscriber.ts'
import type { DeliveryQuery } from '@quipu/core/adapter'

export function listDeliveriesTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('reading', () => {
    const { w, newSubscriber } = useSubscribers(open)

    test('lists an endpoint’s deliveries of every status, newest first', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(7)
      const [a, b, c] = await subscriber.claimDue({ limit: 3 })
      if (!a || !b || !c) throw new Error('three are due')
      await subscriber.record(a)
      await subscriber.record(b, { attempt: failedAttempt, decision: { type: 'exhausted' } })
      await subscriber.record(c, retryIn(60_000))
      const rows = (await listed(w, subscriber.tenantId, id, { limit: 50 })).items
      expect(rows).toHaveLength(7)
      expect(rows).toEqual(newestFirst(rows))
      await expectPages(rows, (query) => listed(w, subscriber.tenantId, id, query))
      const only = async (status: 'pending' | 'delivered' | 'exhausted'): Promise<string[]> =>
        (await listed(w, subscriber.tenantId, id, { limit: 50, status })).items.map(({ id }) => id)
      expect(await only('delivered')).toEqual([a.claim.eventId])
      expect(await only('exhausted')).toEqual([b.claim.eventId])
      expect(await only('pending')).toHaveLength(5)
    })

    test('lists each delivery once, newest first, whatever the order of their attempts', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(24)
      const out = (await subscriber.claimDue({ limit: 9 })).concat(await subscriber.claimDue({ limit: 7 }))
      const later = out.filter((_, n) => n % 3 === 0)
      await Promise.all(out.filter((_, n) => n % 3 === 1).map((each) => subscriber.record(each)))
      await Promise.all(out.filter((_, n) => n % 3 === 2).map((each) => subscriber.record(each)))
      for (const each of later.slice(0, 3)) await subscriber.record(each)
      for (const status of [undefined, 'delivered', 'pending'] as const) {
        const query = status === undefined ? {} : { status }
        const rows = (await listed(w, subscriber.tenantId, id, { limit: 50, ...query })).items
        expect(rows).toHaveLength({ all: 24, delivered: 13, pending: 11 }[status ?? 'all'])
        expect(rows).toEqual(newestFirst(rows))
        await expectPages(rows, (page) => listed(w, subscriber.tenantId, id, { ...page, ...query }))
      }
    })

    test('pending deliveries of a paused endpoint are held, except resends', async () => {
      const subscriber = await newSubscriber()
      const { id } = await subscriber.newEndpoint()
      await subscriber.pause()
      const held = await subscriber.emitEvents(3)
      const { items } = await w.deliveries.list(subscriber.tenantId, id, { limit: 1, status: 'exhausted' })
      const [resentHeld = '', ...stillHeld] = held.toReversed()
      const resent = [resentHeld, items[0]?.eventId ?? '']
      for (const eventId of resent) await w.deliveries.resend(subscriber.tenantId, { endpointId: id, eventId })
      const rows = (await w.deliveries.list(subscriber.tenantId, id, { limit: 50 })).items
      const statusOf = (eventId: string) => rows.find((row) => row.eventId === eventId)?.status
      expect(resent.map(statusOf)).toEqual(['pending', 'pending'])
      expect(stillHeld.map(statusOf)).toEqual(['held', 'held'])
      const only = async (status: 'pending' | 'held') => {
        const all = (await listed(w, subscriber.tenantId, id, { limit: 50, status })).items
        await expectPages(all, (query) => listed(w, subscriber.tenantId, id, { ...query, status }))
        return all.map((row) => row.id)
      }
      expect(await only('held')).toEqual(stillHeld)
      expect(await only('pending')).toEqual(resent)
      await subscriber.reactivate(id)
      const { items: none } = await listed(w, subscriber.tenantId, id, { limit: 9, status: 'held' })
      expect(none).toEqual([])
    })

    test('finds no delivery for another tenant', async () => {
      const [subscriber, otherSubscriber] = [await newSubscriber(), await newSubscriber()]
      const { id: endpointId } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      const { deliveries } = w
      expect(await deliveries.get(otherSubscriber.tenantId, { endpointId, eventId })).toBeUndefined()
      const page = await deliveries.list(otherSubscriber.tenantId, endpointId, { limit: 9 })
      expect(page).toEqual({ items: [], next: null })
    })
  })
}

async function listed(
  { deliveries }: World<SubscriberStores | 'events'>,
  tenantId: string,
  id: string,
  query: DeliveryQuery,
) {
  const page = await deliveries.list(tenantId, id, query)
  return { ...page, items: page.items.map(({ eventId, createdAt }) => ({ id: eventId, createdAt })) }
}
