import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '@quipu/core'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { SubscriberStores } from '../../fixtures/webhook/subscriber.ts'
import { attemptResult, headerPrefix, useWebhookHarnesses } from '../../fixtures/webhook/webhook-harness.ts'

export function sendTestEventTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('webhook.test', () => {
    const { w, openHarness } = useWebhookHarnesses(open)

    test('spec §6 — is sent at once, signed, with the endpoint’s id as data', async () => {
      const harness = await openHarness()
      const { id, secret } = await harness.register()
      const tested = await harness.test(harness.tenantId, id)
      expect(tested?.result).toEqual(attemptResult(200))
      expect(harness.encoded).toMatchObject([{ id: tested?.eventId, type: 'webhook.test', data: { webhookId: id } }])
      const [request] = harness.received
      if (!request) throw new Error('nothing was received')
      const { headers, body, at } = request
      expect(headers[`${headerPrefix}Event-Id`]).toBe(tested?.eventId)
      expect(verifyWebhook([secret], headers[`${headerPrefix}Signature`] ?? '', body, at)).toBeNull()
    })

    test('spec §6 — is neither retried, counted nor stored, also while the endpoint is paused', async () => {
      const harness = await openHarness({
        endpointsPerTenant: 9,
        secretsPerEndpoint: 5,
        pauseAfter: 1,
        redeliverSeconds: 60,
      })
      const { id } = await harness.register()
      const endpoint = async () => (await w.webhooks.get(harness.tenantId, id))?.endpoint
      harness.answer = () => attemptResult(500)
      await harness.emitEvent()
      for (let n = 0; n < 8; n++) {
        await harness.runWorker()
        await harness.step(4_000)
      }
      const paused = await endpoint()
      expect(paused?.status).toBe('paused')
      const before = harness.received.length
      expect((await harness.test(harness.tenantId, id))?.result).toEqual(attemptResult(500))
      await harness.step(10_000)
      await harness.runWorker()
      expect(harness.received).toHaveLength(before + 1)
      expect(await endpoint()).toEqual(paused)
      expect(await harness.deliveries(id)).toHaveLength(1)
      expect((await w.events.list(harness.tenantId, { limit: 9 })).items).toHaveLength(1)
    })

    test('is not sent to another tenant’s endpoint', async () => {
      const [harness, otherHarness] = [await openHarness(), await openHarness()]
      const { id } = await harness.register()
      expect(await otherHarness.test(otherHarness.tenantId, id)).toBeUndefined()
      expect(otherHarness.received).toEqual([])
    })
  })
}
