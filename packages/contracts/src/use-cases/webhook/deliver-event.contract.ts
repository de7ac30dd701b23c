import { describe, expect, test } from 'vitest'
import { type AttemptError, verifyWebhook } from '@quipu/core'
import { allDue } from '../../fixtures/webhook/subscriber.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'
import {
  answered,
  headerPrefix,
  type Postman,
  usePostmen,
} from '../../fixtures/webhook/webhook-harness.ts'

const ladderSeconds = [30, 60, 120, 240, 480, 960, 1_920]
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

/** Lets the endpoint's next event fail at every step of its ladder. */
async function runOut(postman: Postman): Promise<void> {
  await postman.happens()
  await postman.work()
  for (const seconds of ladderSeconds) {
    await postman.step(seconds)
    await postman.work()
  }
}

/** From the event to its end. */
export function sendingContract(open: OpenHarness): void {
  describe('sending', () => {
    const { world, openPostman } = usePostmen(open)

    test('spec §6 — every attempt carries the same bytes and event id, and a signature of its own time', async () => {
      const postman = await openPostman()
      const { id, secret } = await postman.register()
      const eventId = await postman.happens()
      const event = await world().events.get(postman.tenantId, eventId)
      postman.answer = () => answered(postman.received.length < 3 ? 500 : 204)
      await postman.work()
      for (const seconds of ladderSeconds.slice(0, 2)) {
        await postman.step(seconds)
        await postman.work()
      }
      expect(postman.received).toHaveLength(3)
      for (const { url, headers, body, at } of postman.received) {
        expect(url).toBe('https://hooks.example/')
        expect([...body]).toEqual([...(event?.body ?? [])])
        expect(headers['Content-Type']).toBe('application/json')
        expect(headers[`${headerPrefix}Event-Id`]).toBe(eventId)
        const signature = headers[`${headerPrefix}Signature`] ?? ''
        expect(signature).toMatch(`t=${Math.floor(at.getTime() / 1_000)},`)
        expect(verifyWebhook([secret], signature, body, at)).toBeNull()
      }
      const [delivery] = await postman.deliveries(id)
      expect(delivery?.status).toBe('delivered')
      expect(delivery?.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 204])
    })

    test('spec §6.3, §8 — the eight instants of the ladder: never earlier, and then no more', async () => {
      const postman = await openPostman()
      const { id } = await postman.register()
      await postman.happens()
      postman.answer = () => answered(503)
      await postman.work()
      for (const [n, seconds] of ladderSeconds.entries()) {
        await postman.step(seconds - 2)
        await postman.work()
        expect(postman.received).toHaveLength(n + 1)
        await postman.step(3)
        await postman.work()
        expect(postman.received).toHaveLength(n + 2)
      }
      const [delivery] = await postman.deliveries(id)
      expect(delivery).toMatchObject({ status: 'exhausted', nextAttemptAt: null })
      await postman.step(100_000)
      await postman.work()
      expect(postman.received).toHaveLength(8)
    })

    test.for(errors)('spec §6.3 — %s is a failure, on record and tried again', async (error) => {
      const postman = await openPostman()
      const { id } = await postman.register()
      const eventId = await postman.happens()
      const result = { statusCode: null, latencyMs: 5, error, excerpt: null }
      postman.answer = () => (postman.received.length === 1 ? result : answered(200))
      await postman.work()
      expect(await postman.attempts(id, eventId)).toMatchObject([result])
      await postman.step(31)
      await postman.work()
      expect((await postman.deliveries(id)).map(({ status }) => status)).toEqual(['delivered'])
    })

    test('spec §6.4, §8 — five events in a row that run out of attempts pause the endpoint; four and a success do not', async () => {
      const postman = await openPostman()
      const { id } = await postman.register()
      const statusNow = async () =>
        (await world().webhooks.get(postman.tenantId, id))?.endpoint.status
      postman.answer = () => answered(500)
      for (let i = 0; i < 4; i++) await runOut(postman)
      postman.answer = () => answered(200)
      await postman.happens()
      await postman.work()
      postman.answer = () => answered(500)
      for (let i = 0; i < 4; i++) await runOut(postman)
      expect(await statusNow()).toBe('active')
      expect(postman.alerts).toEqual([])
      await runOut(postman)
      expect(await statusNow()).toBe('paused')
      expect(postman.alerts).toMatchObject([
        { code: 'WEBHOOK_PAUSED', tenantId: postman.tenantId, subject: id },
      ])
      const before = postman.received.length
      await postman.happen(2)
      await postman.step(10_000)
      await postman.work()
      expect(postman.received).toHaveLength(before)
    })

    test('an answer that comes late puts the endpoint into the slow lane, and a quick one out of it', async () => {
      const postman = await openPostman()
      await postman.register()
      await postman.happen(2)
      postman.answer = () => ({ ...answered(200), latencyMs: 3_001 })
      await postman.work()
      await postman.happens()
      const { claimDue } = world().deliveries
      expect(await claimDue({ ...allDue, deliveryClass: 'fast' })).toEqual([])
      postman.answer = () => answered(200)
      await postman.work()
      await postman.happens()
      expect(await claimDue({ ...allDue, deliveryClass: 'slow' })).toEqual([])
    })

    test('what ten workers in a row have not come back from is not sent, and counts as a failure', async () => {
      const postman = await openPostman()
      const { id } = await postman.register()
      const eventId = await postman.happens()
      for (let i = 0; i < 10; i++) {
        expect(await world().deliveries.claimDue(allDue)).toHaveLength(1)
        await postman.step(allDue.leaseSeconds + 1)
      }
      await postman.work()
      expect(postman.received).toEqual([])
      expect(await postman.attempts(id, eventId)).toMatchObject([{ error: 'ABANDONED' }])
      await postman.step(31)
      await postman.work()
      expect(postman.received).toHaveLength(1)
    })

    test('without the key that sealed its secret nothing is sent, and nothing is lost', async () => {
      const postman = await openPostman()
      const { id } = await postman.register()
      const eventId = await postman.happens()
      postman.isKeyLost = true
      await postman.work()
      expect(postman.received).toEqual([])
      expect(await postman.attempts(id, eventId)).toMatchObject([{ error: 'SECRET_UNREADABLE' }])
      postman.isKeyLost = false
      await postman.step(31)
      await postman.work()
      expect(postman.received).toHaveLength(1)
    })

    test('a resend is a single attempt, and is never counted', async () => {
      const postman = await openPostman()
      const { id: endpointId } = await postman.register()
      const eventId = await postman.happens()
      await postman.work()
      postman.answer = () => answered(500)
      await world().deliveries.resend(postman.tenantId, { endpointId, eventId })
      expect(await postman.work()).toEqual([
        { type: 'recorded', consecutiveFailures: 0, hasPaused: false },
      ])
      await postman.step(10_000)
      await postman.work()
      expect(postman.received).toHaveLength(2)
      expect((await postman.deliveries(endpointId)).map(({ status }) => status)).toEqual([
        'delivered',
      ])
    })
  })
}
