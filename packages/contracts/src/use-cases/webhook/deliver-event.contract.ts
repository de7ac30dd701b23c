import { describe, expect, test } from 'vitest'
import { defaultRetryPolicy, verifyWebhook } from '@quipu/core'
import { type AttemptError, failingAlertSeconds, retryDelayMs } from '@quipu/core/adapter'
import { allDue, type SubscriberStores } from '../../fixtures/webhook/subscriber.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'
import {
  attemptResult,
  headerPrefix,
  type WebhookHarness,
  useWebhookHarnesses,
} from '../../fixtures/webhook/webhook-harness.ts'

const retryDelaysSeconds = Array.from(
  { length: defaultRetryPolicy.attempts - 1 },
  (_, n) => retryDelayMs(defaultRetryPolicy, n + 1, 0) / 1000,
)
const errors: readonly AttemptError[] = [
  'TIMEOUT',
  'REDIRECT',
  'STATUS',
  'NAME_NOT_FOUND',
  'ADDRESS_BLOCKED',
  'TLS',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'PROTOCOL',
]

/** Emits an event and fails all its attempts. */
async function runOut(harness: WebhookHarness): Promise<void> {
  await harness.emitEvent()
  await harness.runWorker()
  for (const seconds of retryDelaysSeconds) {
    await harness.step(seconds)
    await harness.runWorker()
  }
}

export function deliverEventTests(open: OpenHarness<SubscriberStores | 'events'>): void {
  describe('sending', () => {
    const { w, openHarness } = useWebhookHarnesses(open)

    test('spec §6 — each attempt has the same bytes and event id, and a signature of its own time', async () => {
      const harness = await openHarness()
      const { id, secret } = await harness.register()
      const eventId = await harness.emitEvent()
      const event = await w.events.get(harness.tenantId, eventId)
      harness.answer = () => attemptResult(harness.received.length < 3 ? 500 : 204)
      await harness.runWorker()
      for (const seconds of retryDelaysSeconds.slice(0, 2)) {
        await harness.step(seconds)
        await harness.runWorker()
      }
      expect(harness.received).toHaveLength(3)
      for (const { url, headers, body, at } of harness.received) {
        expect(url).toBe('https://hooks.example/')
        expect([...body]).toEqual([...(event?.body ?? [])])
        expect(headers['Content-Type']).toBe('application/json')
        expect(headers[`${headerPrefix}Event-Id`]).toBe(eventId)
        const signature = headers[`${headerPrefix}Signature`] ?? ''
        expect(signature).toMatch(`t=${Math.floor(at.getTime() / 1_000)},`)
        expect(verifyWebhook([secret], signature, body, at)).toBeNull()
      }
      const [delivery] = await harness.deliveries(id)
      expect(delivery?.status).toBe('delivered')
      expect(delivery?.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 204])
    })

    test('spec §6.3, §8 — makes every attempt of the policy, none before its delay', async () => {
      const harness = await openHarness()
      const { id } = await harness.register()
      await harness.emitEvent()
      harness.answer = () => attemptResult(503)
      await harness.runWorker()
      for (const [n, seconds] of retryDelaysSeconds.entries()) {
        await harness.step(seconds - 2)
        await harness.runWorker()
        expect(harness.received).toHaveLength(n + 1)
        await harness.step(3)
        await harness.runWorker()
        expect(harness.received).toHaveLength(n + 2)
      }
      const [delivery] = await harness.deliveries(id)
      expect(delivery).toMatchObject({ status: 'exhausted', nextAttemptAt: null })
      await harness.step(100_000)
      await harness.runWorker()
      expect(harness.received).toHaveLength(defaultRetryPolicy.attempts)
    })

    test.for(errors)('spec §6.3 — %s is a failure: stored and retried', async (error) => {
      const harness = await openHarness()
      const { id } = await harness.register()
      const eventId = await harness.emitEvent()
      const result = { statusCode: null, latencyMs: 5, error, excerpt: null }
      harness.answer = () => (harness.received.length === 1 ? result : attemptResult(200))
      await harness.runWorker()
      expect(await harness.attempts(id, eventId)).toMatchObject([result])
      await harness.step(defaultRetryPolicy.firstDelaySeconds + 1)
      await harness.runWorker()
      expect((await harness.deliveries(id)).map(({ status }) => status)).toEqual(['delivered'])
    })

    test('an endpoint that accepts nothing is alerted by the first attempt after a quarter of an hour', async () => {
      const harness = await openHarness()
      const { id } = await harness.register()
      harness.answer = () => attemptResult(500)
      await harness.emitEvent()
      await harness.runWorker()
      let failingSeconds = 0
      for (const seconds of retryDelaysSeconds) {
        failingSeconds += seconds
        await harness.step(seconds)
        await harness.runWorker()
        const alerts = failingSeconds < failingAlertSeconds ? [] : [{ code: 'WEBHOOK_FAILING', subject: id }]
        expect(harness.alerts).toMatchObject(alerts)
      }
      expect([harness.received.length, harness.alerts.length]).toEqual([defaultRetryPolicy.attempts, 1])
    })

    test('spec §6.4, §8 — five consecutive exhausted events pause the endpoint; four and a success do not', async () => {
      const harness = await openHarness()
      const { id } = await harness.register()
      const statusNow = async () => (await w.webhooks.get(harness.tenantId, id))?.endpoint.status
      harness.answer = () => attemptResult(500)
      for (let i = 0; i < 4; i++) await runOut(harness)
      harness.answer = () => attemptResult(200)
      await harness.emitEvent()
      await harness.runWorker()
      harness.answer = () => attemptResult(500)
      for (let i = 0; i < 4; i++) await runOut(harness)
      expect(await statusNow()).toBe('active')
      const about = { tenantId: harness.tenantId, subject: id }
      const failing = { code: 'WEBHOOK_FAILING', ...about }
      expect(harness.alerts).toMatchObject([failing, failing])
      await runOut(harness)
      expect(await statusNow()).toBe('paused')
      expect(harness.alerts).toMatchObject([failing, failing, { code: 'WEBHOOK_PAUSED', ...about }])
      const before = harness.received.length
      await harness.emitEvents(2)
      await harness.step(10_000)
      await harness.runWorker()
      expect(harness.received).toHaveLength(before)
    })

    test('a slow answer puts the endpoint in delivery class slow, a quick one in class fast', async () => {
      const harness = await openHarness()
      await harness.register()
      await harness.emitEvents(2)
      harness.answer = () => ({ ...attemptResult(200), latencyMs: 3_001 })
      await harness.runWorker()
      await harness.emitEvent()
      const { claimDue } = w.deliveries
      expect(await claimDue({ ...allDue, deliveryClass: 'fast' })).toEqual([])
      harness.answer = () => attemptResult(200)
      await harness.runWorker()
      await harness.emitEvent()
      expect(await claimDue({ ...allDue, deliveryClass: 'slow' })).toEqual([])
    })
  })
}
