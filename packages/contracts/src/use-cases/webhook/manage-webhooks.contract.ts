import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '@quipu/core'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { SubscriberStores } from '../../fixtures/webhook/subscriber.ts'
import { headerPrefix, type WebhookHarness, useWebhookHarnesses } from '../../fixtures/webhook/webhook-harness.ts'

const input = { url: 'https://hooks.example/quipu', events: ['payout.completed'], description: null } as const

/** Whether this secret verifies the last delivery. */
function isVerified(harness: WebhookHarness, secret: string): boolean {
  const last = harness.received.at(-1)
  if (!last) throw new Error('nothing was received')
  const signature = last.headers[`${headerPrefix}Signature`] ?? ''
  return verifyWebhook([secret], signature, last.body, last.at) === null
}

export function manageWebhooksTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('managing', () => {
    const { w, openHarness } = useWebhookHarnesses(open)

    test('spec §5 — an endpoint has its own secret, which is stored encrypted', async () => {
      const harness = await openHarness()
      const [one, other] = [
        await harness.manage.create(harness.tenantId, input),
        await harness.manage.create(harness.tenantId, input),
      ]
      if (one.type === 'refused' || other.type === 'refused') throw new Error('refused')
      expect(one.endpoint).toMatchObject({ ...input, status: 'active', consecutiveFailures: 0 })
      expect(one.endpoint.id).toMatch(/^we_[0-9A-HJKMNP-TV-Z]{26}$/)
      expect(one.secret).toMatch(/^whsec_[0-9a-f]{64}$/)
      expect(one.secret).not.toBe(other.secret)
      const stored = await w.webhooks.get(harness.tenantId, one.endpoint.id)
      expect(stored?.endpoint).toEqual(one.endpoint)
      expect(stored?.secrets).toMatchObject([{ ciphertext: `1.${one.endpoint.id} newest|${one.secret}` }])
    })

    test('refuses a URL that the guard refuses, on create and update', async () => {
      const harness = await openHarness()
      const { id } = await harness.register()
      harness.urlRefusal = 'must begin with https://'
      const refused = { type: 'refused', code: 'url_not_allowed', reason: harness.urlRefusal }
      const { create, update } = harness.manage
      expect(await create(harness.tenantId, input)).toEqual(refused)
      expect(await update(harness.tenantId, id, { url: 'http://x' })).toEqual(refused)
      expect(await update(harness.tenantId, id, { description: 'x' })).toMatchObject({
        endpoint: { id, url: 'https://hooks.example/', description: 'x' },
      })
      expect((await w.webhooks.list(harness.tenantId, { limit: 9 })).items).toHaveLength(1)
    })

    test('signs with both secrets during the grace of a rotation, and then with the new one', async () => {
      const harness = await openHarness()
      const { id, secret: old } = await harness.register()
      const rotated = await harness.manage.rotateSecret(harness.tenantId, id, 60)
      if (rotated.type === 'refused') throw new Error('refused')
      await harness.emitEvent()
      await harness.runWorker()
      expect([isVerified(harness, old), isVerified(harness, rotated.secret)]).toEqual([true, true])
      await harness.step(60)
      await harness.emitEvent()
      await harness.runWorker()
      expect([isVerified(harness, old), isVerified(harness, rotated.secret)]).toEqual([false, true])
    })

    test('does not find another tenant’s endpoint', async () => {
      const [harness, otherHarness] = [await openHarness(), await openHarness()]
      const { id } = await harness.register()
      const { update, rotateSecret } = otherHarness.manage
      const notFound = { type: 'refused', code: 'not_found' }
      expect(await update(otherHarness.tenantId, id, { description: null })).toEqual(notFound)
      expect(await rotateSecret(otherHarness.tenantId, id, 1)).toEqual(notFound)
    })
  })
}
