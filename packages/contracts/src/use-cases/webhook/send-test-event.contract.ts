import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '@quipu/core'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { answered, headerPrefix, usePostmen } from '../../fixtures/webhook/webhook-harness.ts'

/** The event that only its sender has heard of. */
export function testingContract(open: OpenHarness): void {
  describe('webhook.test', () => {
    const { world, openPostman } = usePostmen(open)

    test('spec §6 — is sent at once, signed, with the endpoint’s id as its data', async () => {
      const postman = await openPostman()
      const { id, secret } = await postman.register()
      const tested = await postman.test(postman.tenantId, id)
      expect(tested?.result).toEqual(answered(200))
      expect(postman.encoded).toMatchObject([
        { id: tested?.eventId, type: 'webhook.test', data: { webhookId: id } },
      ])
      const [request] = postman.received
      if (!request) throw new Error('nothing was received')
      const { headers, body, at } = request
      expect(headers[`${headerPrefix}Event-Id`]).toBe(tested?.eventId)
      expect(
        verifyWebhook([secret], headers[`${headerPrefix}Signature`] ?? '', body, at),
      ).toBeNull()
    })

    test('spec §6 — is never retried, never counted and not kept; also while the endpoint is paused', async () => {
      const postman = await openPostman({
        endpointsPerTenant: 9,
        secretsPerEndpoint: 5,
        pauseAfter: 1,
        redeliverSeconds: 60,
      })
      const { id } = await postman.register()
      const endpoint = async () => (await world().webhooks.get(postman.tenantId, id))?.endpoint
      postman.answer = () => answered(500)
      await postman.happens()
      for (let n = 0; n < 8; n++) {
        await postman.work()
        await postman.step(4_000)
      }
      const paused = await endpoint()
      expect(paused?.status).toBe('paused')
      const before = postman.received.length
      expect((await postman.test(postman.tenantId, id))?.result).toEqual(answered(500))
      await postman.step(10_000)
      await postman.work()
      expect(postman.received).toHaveLength(before + 1)
      expect(await endpoint()).toEqual(paused)
      expect(await postman.deliveries(id)).toHaveLength(1)
      expect((await world().events.list(postman.tenantId, { limit: 9 })).items).toHaveLength(1)
    })

    test('an unknown endpoint, and another tenant’s, is sent nothing', async () => {
      const [postman, stranger] = [await openPostman(), await openPostman()]
      const { id } = await postman.register()
      expect(await stranger.test(stranger.tenantId, id)).toBeUndefined()
      expect(stranger.received).toEqual([])
    })
  })
}
