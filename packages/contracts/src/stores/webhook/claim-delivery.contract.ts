import { asRecorded } from '../../fixtures/new-event.ts'
import { describe, expect, test } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { usdt, type WebhookEndpoint } from '@quipu/core'
import { type Adjustment, setLowBalanceThreshold } from '@quipu/core/operator'
import { paidAnswer } from '../../fixtures/builders.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'
import {
  type Subscriber,
  retryIn,
  useSubscribers,
  type SubscriberStores,
  storedSecret,
} from '../../fixtures/webhook/subscriber.ts'

const eventIds = (claimed: Awaited<ReturnType<Subscriber['claimDue']>>): string[] =>
  claimed.map(({ claim }) => claim.eventId).toSorted()

export function claimDeliveryTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('claiming', () => {
    const { w, newSubscriber } = useSubscribers(open)

    test('an event has one delivery for each endpoint of its tenant whose filter matches', async () => {
      const subscriber = await newSubscriber()
      const otherSubscriber = await newSubscriber()
      await otherSubscriber.newEndpoint()
      const all = await subscriber.newEndpoint()
      const some = await subscriber.newEndpoint({ events: ['payout.cancelled', 'deposit.credited'] })
      await subscriber.newEndpoint({ events: ['payout.completed'] })
      const eventId = await subscriber.emitEvent('payout.cancelled')
      await subscriber.newEndpoint()

      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ claim }) => claim.endpointId).toSorted()).toEqual([all.id, some.id].toSorted())
      const event = await w.events.get(subscriber.tenantId, eventId)
      for (const each of claimed) {
        expect(each).toMatchObject({
          claim: { eventId },
          tenantId: subscriber.tenantId,
          url: all.url,
          attempt: 1,
          isResend: false,
          lostLeases: 0,
        })
        expect([...each.body]).toEqual([...(event?.body ?? [])])
        expect(each.secrets).toEqual([storedSecret({ id: each.claim.endpointId })])
      }
    })

    test('a refund sends the payout as it was completed, once', async () => {
      const { tenantId, newEndpoint, claimDue } = await newSubscriber()
      const funds = { tenantId, direction: 'in', reason: 'funds', actor: 'test' } as const
      const adjust = (over: Pick<Adjustment, 'amount' | 'payoutId'>) =>
        adjustWallet(w, { ...funds, ...over, id: w.ids.next('prp', someInstant) })
      await adjust({ amount: usdt(100n) })
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }))
      const settled = w.settleCommit(payout, paidAnswer(payout))
      expect(await w.payouts.commit(settled)).toBe('committed')
      const wanted = await newEndpoint({ events: ['payout.refunded'] })
      await newEndpoint({ events: ['payout.completed'] })
      const refund = { amount: usdt(20n), payoutId: payout.id }
      expect(await adjust(refund)).toBe('committed')
      expect(await adjust(refund)).toBe('already_refunded')

      const type = 'payout.refunded'
      const { items } = await w.events.list(tenantId, { type, limit: 10 })
      const [row] = (await w.wallets.transactions(tenantId, { limit: 1 })).items
      const at = row?.createdAt
      const about = { tenantId, type, subjectId: payout.id, occurredAt: at, recordedAt: at }
      expect(items).toMatchObject([about])
      const [event] = items
      if (event === undefined) throw new Error('the refund has no event')
      const { id, body } = event
      const all = await w.events.list(tenantId, { limit: 10 })
      expect(all.items.map((each) => each.type).toSorted()).toEqual(['payout.completed', type])
      expect(await w.events.get(tenantId, id)).toMatchObject(about)
      const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
      const envelope = { id, type, event_version: 1, occurred_at: at, recorded_at: at }
      const completed = decode(settled.step.event ? asRecorded(settled.step.event).body : body)
      const data = completed.slice(completed.indexOf(',"data":'))
      expect(decode(body)).toBe(`${JSON.stringify(envelope).slice(0, -1)}${data}`)
      const claimed = await claimDue()
      expect(claimed).toMatchObject([{ claim: { endpointId: wanted.id, eventId: id } }])
      expect(decode(claimed[0]?.body ?? new Uint8Array())).toBe(decode(body))
    })

    test('an event by name only goes to endpoints that name its type, and not to those of all types', async () => {
      const { tenantId, newEndpoint, emitEvent, claimDue } = await newSubscriber()
      const { events, wallets, webhooks, deliveries, ids } = w
      const [all, named] = [await newEndpoint(), await newEndpoint({ events: ['wallet.balance_low'] })]
      const payoutEvent = await emitEvent()
      const ports = { wallets, ids, encodeEvent: encodeForTest, now: () => someInstant }
      await setLowBalanceThreshold(ports)(tenantId, usdt(1n))
      const [low] = (await events.list(tenantId, { type: 'wallet.balance_low', limit: 2 })).items
      const queued = await Promise.all([all, named].map(({ id }) => webhooks.queued(tenantId, id)))
      expect(queued).toEqual([1, 1])
      const claimed = await claimDue()
      const targets = claimed.map(({ claim }) => [claim.endpointId, claim.eventId]).toSorted()
      const wanted = [
        [all.id, payoutEvent],
        [named.id, low?.id ?? ''],
      ]
      expect(targets).toEqual(wanted.toSorted())
      const listed = await deliveries.list(tenantId, all.id, { limit: 9 })
      expect(listed.items.map(({ eventId }) => eventId)).toEqual([payoutEvent])
      const since = new Date(0)
      const replayed = await deliveries.replay(tenantId, all.id, { since, limit: 9 })
      expect(replayed).toMatchObject({ resent: 0, next: null })
    })

    test('an endpoint gets the events that its filter matched when they were committed', async () => {
      const subscriber = await newSubscriber()
      const { webhooks, deliveries } = w
      const { id } = await subscriber.newEndpoint({ events: ['payout.cancelled'] })
      const filterTo = (events: WebhookEndpoint['events']) =>
        webhooks.update(subscriber.tenantId, id, { events }, someInstant)
      const wanted = await subscriber.emitEvents(3)
      await filterTo(['payout.failed'])
      const unwanted = await subscriber.emitEvents(2)
      await filterTo(['deposit.credited'])
      await filterTo(null)
      wanted.push(...(await subscriber.emitEvents(2)))
      await filterTo([])
      unwanted.push(await subscriber.emitEvent())

      expect(await webhooks.queued(subscriber.tenantId, id)).toBe(5)
      const { items } = await deliveries.list(subscriber.tenantId, id, { limit: 9 })
      expect(items.map(({ eventId }) => eventId).toSorted()).toEqual(wanted.toSorted())
      for (const eventId of unwanted)
        expect(await deliveries.get(subscriber.tenantId, { endpointId: id, eventId })).toBeUndefined()
      const claimed = [
        ...(await subscriber.claimDue({ limit: 2 })),
        ...(await subscriber.claimDue()),
        ...(await subscriber.claimDue()),
      ]
      expect(eventIds(claimed)).toEqual(wanted.toSorted())
      expect(await subscriber.claimDue()).toEqual([])
    })

    test('a claimed delivery is claimed again only after its lease ends without a recorded attempt', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      await subscriber.emitEvent()
      const first = await subscriber.claimOne({ leaseSeconds: 30 })
      expect(await subscriber.claimDue()).toEqual([])
      await w.advance(28)
      expect(await subscriber.claimDue()).toEqual([])
      await w.advance(3)
      const second = await subscriber.claimOne()
      expect(second).toMatchObject({ attempt: 1, lostLeases: 1 })
      expect(second.claim.fencingToken).toBeGreaterThan(first.claim.fencingToken)
      expect(await subscriber.record(first)).toEqual({ type: 'stale' })
      expect(await subscriber.record(second)).toMatchObject({ type: 'recorded' })
    })

    test('at most `perEndpoint` deliveries of an endpoint are claimed at once', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      await subscriber.emitEvents(5)
      const [first] = await subscriber.claimDue({ perEndpoint: 2 })
      expect(await subscriber.claimDue({ perEndpoint: 2 })).toEqual([])
      if (first) await subscriber.record(first)
      expect(await subscriber.claimDue({ perEndpoint: 2 })).toHaveLength(1)
      expect(await subscriber.claimDue({ perEndpoint: 4 })).toHaveLength(2)
    })

    test('the backlog of one endpoint does not delay other endpoints', async () => {
      const busy = await newSubscriber()
      await busy.newEndpoint()
      await busy.emitEvents(30)
      const others = [await newSubscriber(), await newSubscriber(), await newSubscriber()]
      for (const other of others) {
        await other.newEndpoint()
        await other.emitEvent()
      }
      const claimed = await busy.claimDue({ limit: 8, perEndpoint: 4 })
      const tenants = new Set(claimed.map(({ tenantId }) => tenantId))
      expect(tenants).toEqual(new Set([busy, ...others].map(({ tenantId }) => tenantId)))
    })

    test('at most `perTenant` deliveries of a tenant are claimed at once, over all its endpoints', async () => {
      const [large, small] = [await newSubscriber(), await newSubscriber()]
      for (let n = 0; n < 4; n++) await large.newEndpoint()
      await small.newEndpoint()
      await large.emitEvents(3)
      await small.emitEvent()
      const query = { perEndpoint: 2, perTenant: 5 }
      const claimed = await large.claimDue(query)
      const ofLarge = claimed.filter(({ tenantId }) => tenantId === large.tenantId)
      expect(ofLarge).toHaveLength(5)
      expect(claimed).toHaveLength(6)
      expect(await large.claimDue(query)).toEqual([])
      for (const each of ofLarge.slice(0, 2)) await large.record(each)
      expect(await large.claimDue(query)).toHaveLength(2)
    })

    test('the endpoints of a tenant take turns within `perTenant`', async () => {
      const subscriber = await newSubscriber()
      const ids = [await subscriber.newEndpoint(), await subscriber.newEndpoint(), await subscriber.newEndpoint()]
      await subscriber.emitEvents(2)
      const turns: string[] = []
      for (let n = 0; n < ids.length; n++) {
        const [claimed, ...more] = await subscriber.claimDue({ perTenant: 1 })
        expect(more).toEqual([])
        if (!claimed) throw new Error('no delivery is due')
        turns.push(claimed.claim.endpointId)
        await subscriber.record(claimed)
      }
      expect(turns.toSorted()).toEqual(ids.map(({ id }) => id).toSorted())
    })

    test('`perTenant` applies to each delivery class by itself', async () => {
      const subscriber = await newSubscriber()
      const slow = await subscriber.newEndpoint()
      await subscriber.emitEvent()
      await subscriber.record(await subscriber.claimOne(), { isSlow: true })
      const fast = await subscriber.newEndpoint()
      await subscriber.emitEvents(3)
      const classes = [
        ['slow', slow],
        ['fast', fast],
      ] as const
      for (const [deliveryClass, { id }] of classes) {
        const claimed = await subscriber.claimDue({ deliveryClass, perTenant: 2 })
        expect(claimed.map(({ claim }) => claim.endpointId)).toEqual([id, id])
        expect(await subscriber.claimDue({ deliveryClass, perTenant: 2 })).toEqual([])
      }
    })

    test('endpoints take turns when `limit` is too low for all', async () => {
      const subscribers = [await newSubscriber(), await newSubscriber(), await newSubscriber()]
      for (const subscriber of subscribers) {
        await subscriber.newEndpoint()
        await subscriber.emitEvents(3)
      }
      const [any] = subscribers
      const turns: string[] = []
      for (let i = 0; i < 6; i++) {
        const claimed = await any?.claimDue({ limit: 1, perEndpoint: 9 })
        turns.push(claimed?.[0]?.tenantId ?? 'none')
      }
      expect(new Set(turns.slice(0, 3)).size).toBe(3)
      expect(turns.slice(3)).toEqual(turns.slice(0, 3))
    })

    test('a claim continues after the endpoint that was served last, and wraps around', async () => {
      const subscribers = [await newSubscriber(), await newSubscriber(), await newSubscriber()] as const
      for (const subscriber of subscribers) {
        await subscriber.newEndpoint()
        await subscriber.emitEvents(7)
      }
      const served: string[] = []
      for (let i = 0; i < 6; i++) {
        const claimed = await subscribers[0].claimDue({ limit: 2, perEndpoint: 1 })
        served.push(...claimed.map(({ tenantId }) => tenantId))
        for (const each of claimed) await subscribers[0].record(each)
      }
      for (const subscriber of subscribers) expect(served.filter((id) => id === subscriber.tenantId)).toHaveLength(4)
    })

    test('claims the delivery of an endpoint that has been due for longest', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      const early = await subscriber.emitEvent()
      await subscriber.record(await subscriber.claimOne(), retryIn(60_000))
      await w.advance(30)
      const late = await subscriber.emitEvent()
      await w.advance(60)
      const claimed = await subscriber.claimDue()
      expect(claimed.map(({ claim }) => claim.eventId)).toEqual([late, early])
    })

    test('an endpoint is in class slow after a slow or failed attempt, until it answers quickly', async () => {
      const subscriber = await newSubscriber()
      await subscriber.newEndpoint()
      await subscriber.emitEvents(3)
      expect(await subscriber.claimDue({ deliveryClass: 'slow' })).toEqual([])
      await subscriber.record(await subscriber.claimOne(), { isSlow: true })
      expect(await subscriber.claimDue({ deliveryClass: 'fast' })).toEqual([])
      await subscriber.record(await subscriber.claimOne({ deliveryClass: 'slow' }), { isSlow: false })
      expect(await subscriber.claimDue({ deliveryClass: 'slow' })).toEqual([])
      expect(await subscriber.claimDue({ deliveryClass: 'fast' })).toHaveLength(1)
    })
  })
}
