import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { deliveryId } from '@quipu/core/adapter'
import { addressDifference } from '../../fixtures/difference/found-difference.ts'
import { credentialOf, testOperatorTokens } from '../../fixtures/proposal/operators.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { newKey } from '../../fixtures/new-key.ts'
import { expectPages } from '../../fixtures/pages.ts'
import { openSubscriber, retryIn } from '../../fixtures/webhook/subscriber.ts'
import type { OverviewStores } from './read-payout-record.contract.ts'

export type FindStores = OverviewStores | 'resolutions' | 'differences' | 'addresses' | 'apiKeys'

export function findRecordsTests(open: OpenHarness<FindStores>): void {
  describe('other records', () => {
    const w = useWorld(open, 'each')

    test('lists the wallets of all tenants, each with its newest entry', async () => {
      const wallets = []
      for (const amount of [0n, 5n, 7n]) {
        const tenantId = await w.newWallet(usdt(amount))
        const wallet = await w.wallets.find(tenantId)
        if (wallet) wallets.push(wallet)
      }
      await expectPages(
        wallets.map(({ id, createdAt, available, held }) => ({ id, createdAt, available, held })),
        async (query) => {
          const page = await w.overview.wallets(query)
          const items = page.items.map(({ id, createdAt, available, held }) => ({ id, createdAt, available, held }))
          return { ...page, items }
        },
      )
      const [empty, funded] = wallets
      const ofTenant = async (tenantId = '') => (await w.overview.wallets({ limit: 5, tenantId })).items
      expect(await ofTenant(empty?.tenantId)).toMatchObject([{ newestEntryAt: null }])
      expect((await ofTenant(funded?.tenantId))[0]?.newestEntryAt).toBeInstanceOf(Date)
      expect(await ofTenant(funded?.tenantId)).toMatchObject([{ id: funded?.id }])
    })

    test('lists the endpoints of all tenants with their backlog', async () => {
      const [one, other] = [await openSubscriber(w), await openSubscriber(w)]
      const endpoints = [await one.newEndpoint(), await other.newEndpoint(), await one.newEndpoint()]
      await expectPages(endpoints, async (query) => {
        const page = await w.overview.endpoints(query)
        return { ...page, items: page.items.map(({ endpoint }) => endpoint) }
      })
      await one.emitEvents(3)
      const { tenantId } = one
      const { items } = await w.overview.endpoints({ limit: 9, tenantId })
      expect(items).toMatchObject([
        { endpoint: { tenantId }, queued: 3, isSlow: false, failingSince: null },
        { endpoint: { tenantId }, queued: 3, isSlow: false, failingSince: null },
      ])
      for (const shown of items) {
        const { id } = shown.endpoint
        expect(await w.overview.endpoint(id)).toEqual(shown)
        const deliveries = await w.deliveries.list(tenantId, id, { limit: 9 })
        expect(shown.oldestQueuedAt).toEqual(deliveries.items.at(-1)?.createdAt)
      }
      const [untouched] = (await w.overview.endpoints({ limit: 1, tenantId: other.tenantId })).items
      expect(untouched).toMatchObject({ queued: 0, oldestQueuedAt: null })
      // One delivery of each endpoint stays in a leased run and one is retried.
      const claimed = await one.claimDue({ perEndpoint: 2 })
      for (const each of claimed.slice(0, 1)) await one.record(each, retryIn(60_000))
      const now = await w.overview.endpoints({ limit: 9, tenantId })
      expect(now.items.map(({ oldestQueuedAt }) => oldestQueuedAt)).toEqual(
        items.map(({ oldestQueuedAt }) => oldestQueuedAt),
      )
      expect(await w.overview.endpoint(w.ids.next('we', someInstant))).toBeUndefined()
      const paused = { limit: 9, status: 'paused' } as const
      expect((await w.overview.endpoints(paused)).items).toEqual([])
      expect((await w.overview.endpoints({ limit: 9, status: 'active' })).items).toHaveLength(3)
    })

    test('finds each record by what names it, of any tenant', async () => {
      const subscriber = await openSubscriber(w)
      const { tenantId } = subscriber
      const endpoint = await subscriber.newEndpoint()
      const resolution = await w.newResolution(tenantId)
      const quote = await w.newQuote(tenantId)
      const write = w.insertEndedCommit(quote, { transactionId: 'order-1' })
      await w.payouts.commit(write)
      const { payout, event } = write.step
      const wallet = await w.wallets.find(tenantId)
      const tenant = await w.tenants.find(tenantId)
      const found = async (text = '') =>
        (await w.overview.find(text)).map(({ type, id, tenantId, label }) => [type, id, tenantId, label])
      const cases = [
        ['tenant', tenantId, tenant?.legalName],
        ['wallet', wallet?.id, tenantId],
        ['payout', payout.id, 'order-1'],
        ['quote', quote.id, 'fixed'],
        ['resolution', resolution.id, resolution.merchant.name],
        ['event', event?.id, 'payout.cancelled'],
        ['webhook_endpoint', endpoint.id, endpoint.url],
      ] as const
      for (const [type, id, label] of cases) expect(await found(id), type).toEqual([[type, id, tenantId, label]])
      expect(await found('order-1')).toEqual([['payout', payout.id, tenantId, 'order-1']])
      const open = await w.newPayout(await w.newQuote(await w.newWallet(usdt(1_000_000_000n))), {
        transactionId: 'order-1',
      })
      expect(await found(open.id)).toEqual([['payout', open.id, open.tenantId, 'order-1']])
      expect((await found('order-1')).map(([, id]) => id)).toEqual([payout.id, open.id].toSorted())
      const ofFunds = { limit: 1, now: someInstant, tenantId: open.tenantId }
      const [proposal] = (await w.proposals.list(ofFunds)).items
      expect(await found(proposal?.id)).toEqual([['proposal', proposal?.id, open.tenantId, 'adjust_wallet']])
      const [delivery] = (await w.deliveries.list(tenantId, endpoint.id, { limit: 1 })).items
      const id = delivery ? deliveryId(endpoint.id, delivery.eventId) : ''
      expect(await found(id)).toEqual([['delivery', id, tenantId, 'payout.cancelled pending']])
      expect(await found('networkRef' in open ? open.networkRef : '')).toEqual([
        ['payout', open.id, open.tenantId, 'order-1'],
      ])
      const difference = await addressDifference(w, tenantId)
      await w.differences.record([difference], someInstant)
      expect(await found(difference.id)).toEqual([
        ['difference', difference.id, tenantId, `${difference.check} ${difference.kind}`],
      ])
      const [operator] = testOperatorTokens()
      const token = operator?.token
      expect(await found(token?.id)).toEqual([['operator_token', token?.id, null, token?.role]])
      const key = newKey(w, tenantId)
      expect(await w.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
      for (const text of [key.id, key.lastFour])
        expect(await found(text)).toEqual([['api_key', key.id, tenantId, key.name]])
      for (const text of ['', 'order', 'po_', 'x'.repeat(200), payout.id.slice(0, -1)])
        expect(await found(text)).toEqual([])
    })
  })
}
