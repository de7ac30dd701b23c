import { describe, expect, test } from 'vitest'
import { defaultEndpointPolicy, usdt, type WebhookEndpoint } from '@quipu/core'
import type { EncryptedSecret } from '@quipu/core/adapter'
import { bareEndpoint, openSubscriber, storedSecret, type SubscriberStores } from '../../fixtures/webhook/subscriber.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { expectPages } from '../../fixtures/pages.ts'

const later = new Date(someInstant.getTime() + 5_000)
const secret = (n: number, expiresAt: Date | null = null): EncryptedSecret => ({
  ciphertext: `1.ciphertext-${n}`,
  lastFour: `000${n}`,
  createdAt: someInstant,
  expiresAt,
})

/** The contract of a `WebhookStore`. `deliveryStoreContract` proves `reactivate`. */
export function webhookStoreContract(name: string, open: OpenHarness<SubscriberStores>): void {
  describe(`webhook store in ${name}`, () => {
    const w = useWorld(open)

    test('reads back an endpoint and its secrets as inserted, for its tenant only', async () => {
      const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)]
      for (const over of [
        {},
        { events: ['payout.completed', 'deposit.pending'], description: null },
      ] satisfies Partial<WebhookEndpoint>[]) {
        const endpoint = await subscriber.newEndpoint(over)
        expect(await w.webhooks.get(subscriber.tenantId, endpoint.id)).toEqual({
          endpoint,
          secrets: [storedSecret(endpoint)],
        })
        expect(await w.webhooks.get(otherSubscriber.tenantId, endpoint.id)).toBeUndefined()
      }
      expect(await w.webhooks.get(subscriber.tenantId, w.ids.next('we', someInstant))).toBeUndefined()
    })

    test('lists only the tenant’s endpoints, newest first', async () => {
      const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)]
      await otherSubscriber.newEndpoint()
      const made: WebhookEndpoint[] = []
      for (const second of [3, 1, 1, 2]) {
        const createdAt = new Date(someInstant.getTime() + second * 1_000)
        made.push(await subscriber.newEndpoint({ id: w.ids.next('we', createdAt), createdAt }))
      }
      await expectPages(made, (query) => w.webhooks.list(subscriber.tenantId, query))
    })

    test('concurrent inserts stay within `endpointsPerTenant`', async () => {
      const tenantId = await w.newWallet(usdt(0n))
      const policy = { ...defaultEndpointPolicy, endpointsPerTenant: 3 }
      const insert = () => {
        const id = w.ids.next('we', someInstant)
        const endpoint: WebhookEndpoint = { ...bareEndpoint, id, tenantId }
        return w.webhooks.insert({ endpoint, secrets: [secret(1)] }, policy)
      }
      const seen = await Promise.all(Array.from({ length: 8 }, insert))
      expect(seen.toSorted()).toEqual([
        ...Array<string>(3).fill('committed'),
        ...Array<string>(5).fill('limit_reached'),
      ])
      const { items } = await w.webhooks.list(tenantId, { limit: 10 })
      expect(items).toHaveLength(3)
      const again = {
        endpoint: { ...bareEndpoint, id: items[0]?.id ?? '', tenantId, url: 'https://other.example/' },
        secrets: [],
      }
      expect(await w.webhooks.insert(again, policy)).toBe('committed')
      expect((await w.webhooks.list(tenantId, { limit: 10 })).items).toEqual(items)
      await w.webhooks.remove(tenantId, items[0]?.id ?? '')
      expect(await insert()).toBe('committed')
    })

    test('renewing replaces secrets that another key encrypted, unless they have changed', async () => {
      const subscriber = await openSubscriber(w)
      const { tenantId } = subscriber
      const ids = [(await subscriber.newEndpoint()).id, (await subscriber.newEndpoint()).id]
      const others = async (keyId: string, after = '', limit = 1_000) =>
        (await w.webhooks.listByOtherKeys(keyId, after, limit)).filter(({ id }) => ids.includes(id))
      const found = await others('2')
      expect(found.map(({ id }) => id)).toEqual(ids.toSorted())
      expect(await others('1')).toEqual([])
      expect((await others('2', found[0]?.id))[0]).toEqual(found[1])
      expect(await w.webhooks.listByOtherKeys('2', '', 1)).toHaveLength(1)

      const from = found[0] ?? expect.fail()
      const renewed = [{ ...secret(1), ciphertext: '2.renewed' }]
      expect(await w.webhooks.renewSecrets(from, renewed)).toBe(true)
      expect(await w.webhooks.renewSecrets(from, renewed)).toBe(false)
      const other = { ...from, tenantId: await w.newWallet(usdt(0n)) }
      expect(await w.webhooks.renewSecrets(other, renewed)).toBe(false)
      const stored = await w.webhooks.get(tenantId, from.id)
      expect(stored).toMatchObject({ secrets: renewed, endpoint: { updatedAt: someInstant } })
      expect((await others('2')).map(({ id }) => id)).toEqual([found[1]?.id])
      expect(await w.webhooks.keyUse()).toContainEqual({ keyId: '2', count: 1 })
    })

    test('update changes only the given members', async () => {
      const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)]
      const endpoint = await subscriber.newEndpoint({ events: ['payout.failed'] })
      const { id } = endpoint
      for (const [change, after] of [
        [{ url: 'https://other.example/' }, { url: 'https://other.example/' }],
        [{ events: null }, { events: null }],
        [{ description: null }, { description: null }],
        [{}, {}],
      ] as const) {
        const before = (await w.webhooks.get(subscriber.tenantId, id))?.endpoint
        const updated = await w.webhooks.update(subscriber.tenantId, id, change, later)
        expect(updated).toEqual({ ...before, ...after, updatedAt: later })
        expect((await w.webhooks.get(subscriber.tenantId, id))?.endpoint).toEqual(updated)
      }
      const before = (await w.webhooks.get(subscriber.tenantId, id))?.endpoint
      const change = { url: 'https://third.example/', events: [] }
      expect(await w.webhooks.update(otherSubscriber.tenantId, id, change, later)).toBeUndefined()
      expect((await w.webhooks.get(subscriber.tenantId, id))?.endpoint).toEqual(before)
    })

    test('remove deletes the endpoint and its deliveries', async () => {
      const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)]
      const { id } = await subscriber.newEndpoint()
      const eventId = await subscriber.emitEvent()
      expect(await w.webhooks.queued(subscriber.tenantId, id)).toBe(1)
      expect(await w.webhooks.queued(otherSubscriber.tenantId, id)).toBe(0)
      expect(await w.webhooks.remove(otherSubscriber.tenantId, id)).toBe(false)
      expect(await w.webhooks.remove(subscriber.tenantId, id)).toBe(true)
      expect(await w.webhooks.remove(subscriber.tenantId, id)).toBe(false)
      expect(await w.webhooks.get(subscriber.tenantId, id)).toBeUndefined()
      expect(await w.webhooks.queued(subscriber.tenantId, id)).toBe(0)
      await subscriber.emitEvent()
      const ref = { endpointId: id, eventId }
      expect(await w.deliveries.claim(ref, 30)).toBeUndefined()
    })

    test('concurrent rotations replace the secrets one after the other', async () => {
      const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)]
      const { id } = await subscriber.newEndpoint()
      const add = (n: number) => (secrets: readonly EncryptedSecret[]) => [secret(n), ...secrets]
      const done = await Promise.all([1, 2, 3].map((n) => w.webhooks.rotate(subscriber.tenantId, id, later, add(n))))
      expect(done).toEqual(['committed', 'committed', 'committed'])
      const stored = await w.webhooks.get(subscriber.tenantId, id)
      expect(stored?.secrets.map(({ ciphertext }) => ciphertext).toSorted()).toEqual(
        [1, 2, 3]
          .map((n) => secret(n).ciphertext)
          .concat(`1.${id}`)
          .toSorted(),
      )
      expect(stored?.endpoint.updatedAt).toEqual(later)
      const expiring = [secret(9), secret(8, later)]
      await w.webhooks.rotate(subscriber.tenantId, id, later, () => expiring)
      expect((await w.webhooks.get(subscriber.tenantId, id))?.secrets).toEqual(expiring)
      expect(await w.webhooks.rotate(subscriber.tenantId, id, later, () => undefined)).toBe('refused')
      expect((await w.webhooks.get(subscriber.tenantId, id))?.secrets).toEqual(expiring)
      expect(await w.webhooks.rotate(otherSubscriber.tenantId, id, later, add(4))).toBe('not_found')
    })
  })
}
