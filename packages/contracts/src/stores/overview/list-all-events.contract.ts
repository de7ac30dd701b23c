import { describe, expect, test } from 'vitest'
import { type Delivery, type Page, type PageQuery, usdt } from '@quipu/core'
import { deliveryId, type EventRecord } from '@quipu/core/adapter'
import { type AllDeliveriesQuery, type AllEventsQuery, listAllDeliveries } from '@quipu/core/operator'
import { buildersOfAnotherTenant, depositBuilders } from '../../fixtures/deposit/deposit-builders.ts'
import { commitSend } from '../../fixtures/faucet/sends.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { allPages, newestFirst } from '../../fixtures/pages.ts'
import { openSubscriber, type SubscriberStores } from '../../fixtures/webhook/subscriber.ts'

export type EventStores = SubscriberStores | 'events' | 'overview' | 'addresses' | 'scans' | 'deposits' | 'faucet'

/** The items of all pages, for several limits; a page may be shorter than its limit. */
async function expectAll<T>(rows: readonly T[], list: (query: PageQuery) => Promise<Page<T>>): Promise<void> {
  for (const limit of [1, 2, 3, rows.length + 1]) expect((await allPages(list, limit)).flat()).toEqual(rows)
}

export function listAllEventsTests(open: OpenHarness<EventStores>): void {
  describe('events and deliveries', () => {
    const w = useWorld(open, 'each')

    test('lists the events of all tenants by type, tenant and subject, and reads one', async () => {
      const [one, other] = [await openSubscriber(w), await openSubscriber(w)]
      const deposits = await depositBuilders(w)
      await one.emitEvents(2)
      await deposits.credited()
      await other.emitEvents(2)
      await other.emitEvent('payout.failed')
      await (await buildersOfAnotherTenant(w, deposits)).inReview()
      await one.emitEvent('payout.failed')
      const tenants = (await w.tenants.list({ limit: 100 })).items
      const events: EventRecord[] = []
      for (const { id } of tenants) events.push(...(await w.events.list(id, { limit: 100 })).items)
      const ordered = newestFirst(events.map((event) => ({ id: event.id, createdAt: event.recordedAt, event }))).map(
        ({ event }) => event,
      )
      const credit = ordered.find(({ type }) => type === 'deposit.credited')
      const [tenantId, subjectId] = [credit?.tenantId ?? '', credit?.subjectId ?? '']
      const cases: readonly (readonly [Partial<AllEventsQuery>, (event: EventRecord) => boolean])[] = [
        [{}, () => true],
        [{ tenantId }, (event) => event.tenantId === tenantId],
        [{ subjectId }, (event) => event.subjectId === subjectId],
        [
          { subjectId, type: 'deposit.pending' },
          ({ type, subjectId: of }) => type === 'deposit.pending' && of === subjectId,
        ],
        [{ subjectId, tenantId: one.tenantId }, () => false],
        ...(
          [
            'payout.completed',
            'payout.failed',
            'payout.cancelled',
            'deposit.pending',
            'deposit.credited',
            'deposit.in_review',
          ] as const
        ).map((type) => [{ type }, (event: EventRecord) => event.type === type] as const),
        [
          { to: credit?.recordedAt ?? new Date(0) },
          ({ recordedAt }) => recordedAt <= (credit?.recordedAt ?? new Date(0)),
        ],
        [
          { from: credit?.recordedAt ?? new Date(0), type: 'payout.cancelled' },
          (event) => event.recordedAt >= (credit?.recordedAt ?? 0) && event.type === 'payout.cancelled',
        ],
      ]
      expect(ordered.length).toBeGreaterThan(8)
      for (const [filters, isWanted] of cases)
        await expectAll(ordered.filter(isWanted), (query) => w.overview.events({ ...query, ...filters }))
      expect(await w.overview.event(credit?.id ?? '')).toEqual(credit)
      expect(await w.overview.event('019aa1f4-54f0-7000-8000-00000000000b')).toBeUndefined()
    })

    test('lists deliveries of a tenant, an endpoint and an event in one order', async () => {
      const [one, other] = [await openSubscriber(w), await openSubscriber(w)]
      const endpoints = [await one.newEndpoint(), await one.newEndpoint(), await one.newEndpoint()]
      const [foreign] = [await other.newEndpoint()]
      const [eventId = ''] = await one.emitEvents(3)
      await other.emitEvents(2)
      await one.record((await one.claimDue({ limit: 1 }))[0] ?? (await one.claimOne()))
      const { tenantId } = one
      const all: Delivery[] = []
      for (const { id } of endpoints) all.push(...(await w.deliveries.list(tenantId, id, { limit: 10 })).items)
      const place = (delivery: Delivery) => `${delivery.eventId} ${delivery.endpointId}`
      const ordered = all.toSorted((a, b) => (place(a) > place(b) ? -1 : 1))
      const list = listAllDeliveries(w)
      const endpointId = endpoints[1]?.id ?? ''
      type Filters = Omit<AllDeliveriesQuery, 'limit'>
      const cases: readonly (readonly [Filters, (delivery: Delivery) => boolean])[] = [
        [{ of: { tenantId } }, () => true],
        [{ of: { tenantId }, status: 'pending' }, ({ status }) => status === 'pending'],
        [{ of: { tenantId }, status: 'delivered' }, ({ status }) => status === 'delivered'],
        [{ of: { endpointId } }, (delivery) => delivery.endpointId === endpointId],
        [{ of: { endpointId: foreign.id, tenantId } }, () => false],
        [{ of: { eventId } }, (delivery) => delivery.eventId === eventId],
        [{ of: { eventId }, status: 'held' }, () => false],
        [{ of: { eventId, tenantId: other.tenantId } }, () => false],
        [
          { of: { eventId, endpointId } },
          (delivery) => delivery.eventId === eventId && delivery.endpointId === endpointId,
        ],
      ]
      expect(ordered).toHaveLength(9)
      for (const [filters, isWanted] of cases)
        await expectAll(ordered.filter(isWanted), (query) => list({ ...query, ...filters }))
      const [delivery] = ordered
      const id = delivery ? deliveryId(delivery.endpointId, delivery.eventId) : ''
      expect(await w.overview.delivery(id)).toEqual(delivery)
      expect(await w.overview.delivery('dlv_01K6HZ8M00000000000000000A')).toBeUndefined()
      expect(await w.overview.endpoint(endpointId)).toMatchObject({ endpoint: { id: endpointId } })
      expect(await w.overview.endpoint('we_01K6HZ8M00000000000000000A')).toBeUndefined()
    })

    test('lists the faucet sends of all tenants', async () => {
      const tenants = [await w.newWallet(usdt(0n)), await w.newWallet(usdt(0n))]
      for (const tenantId of [...tenants, ...tenants]) await commitSend(w, tenantId)
      const { items: sends } = await w.overview.faucetSends({ limit: 10 })
      const byId = sends.toSorted((a, b) => (a.id > b.id ? -1 : 1))
      const [first] = byId
      if (first === undefined) throw new Error('there are four sends')
      expect(byId).toHaveLength(4)
      await w.faucet.settle({ tenantId: first.tenantId, sendId: first.id, fencingToken: 1 }, 'confirmed')
      const confirmed = { ...first, status: 'confirmed' } as const
      const all = [confirmed, ...byId.slice(1)]
      const list = (filters: object) => async (query: PageQuery) => w.overview.faucetSends({ ...query, ...filters })
      await expectAll(all, list({}))
      const ofTenant = all.filter(({ tenantId }) => tenantId === first.tenantId)
      await expectAll(ofTenant, list({ tenantId: first.tenantId }))
      await expectAll([confirmed], list({ status: 'confirmed' }))
      await expectAll([confirmed], list({ txHash: first.transfer.txHash }))
      await expectAll([], list({ txHash: first.transfer.txHash, status: 'failed' }))
      await expectAll(all, list({ address: first.address }))
      await expectAll([], list({ address: 'nothing' }))
    })
  })
}
