import { defaultRetryPolicy } from '@quipu/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Json, Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { failed, succeeded } from '../harness/webhooks.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
let at: string

const url = 'https://example.com/quipu'
const outcome = ({ status, code }: Reply) => [status, code]

beforeEach(async () => {
  tenant = await api.tenant()
  at = `/v1/webhooks/${(await tenant.post('/v1/webhooks', { url })).json.id}`
})

/** Pays, which creates an event. */
const pay = async (): Promise<Json> => (await tenant.post('/v1/payouts', await tenant.order())).json
const deliveries = async (search = ''): Promise<Json[]> => {
  const reply = await tenant.get(`${at}/deliveries?${search}`)
  expect(reply.status, search).toBe(200)
  return reply.json.data
}
const newest = async (): Promise<Json> => (await deliveries('limit=1'))[0]
const endpoint = async (): Promise<Json> => (await tenant.get(at)).json
const resend = (id: string) => tenant.post(`${at}/deliveries/${id}/resend`, undefined)

/** Fails every attempt of the open deliveries. */
async function exhaust(): Promise<void> {
  api.webhooks.answer = async () => failed
  for (let attempt = 0; attempt < defaultRetryPolicy.attempts; attempt++) {
    await api.deliver()
    api.clock.step(defaultRetryPolicy.maxDelaySeconds * 1000)
  }
  api.webhooks.answer = async () => succeeded
}

async function pause(): Promise<void> {
  for (let i = 0; i < 5; i++) await pay()
  await exhaust()
  expect(await endpoint()).toMatchObject({ status: 'paused', consecutive_exhausted: 5 })
}

describe('GET /v1/webhooks/{id}/deliveries', () => {
  test('a delivery has exactly these members, pending and delivered', async () => {
    const payout = await pay()
    const [event] = (await tenant.get('/v1/events')).json.data
    const delivery = await newest()
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_[0-9A-HJKMNP-TV-Z]{26}$/),
      webhook_id: (await endpoint()).id,
      event_id: event.id,
      event_type: 'payout.completed',
      status: 'pending',
      attempts: [],
      next_attempt_at: '2026-03-02T12:00:00.000Z',
      created_at: event.recorded_at,
      ended_at: null,
    })
    expect(event.data).toEqual(payout)
    expect(await endpoint()).toMatchObject({ queued: 1 })
    await api.deliver()
    expect(await newest()).toEqual({
      ...delivery,
      status: 'delivered',
      attempts: [
        {
          at: '2026-03-02T12:00:00.000Z',
          status_code: 200,
          latency_ms: 12,
          error: null,
          response_excerpt: 'thank you',
        },
      ],
      next_attempt_at: null,
      ended_at: '2026-03-02T12:00:00.000Z',
    })
    expect(await endpoint()).toMatchObject({ queued: 0 })
  })

  test('status filters pending, held, delivered and exhausted', async () => {
    await pay()
    await api.deliver()
    await pause()
    const waiting = await pay()
    const count = async (status: string) => (await deliveries(`status=${status}`)).length
    const counts = async () => [
      await count('pending'),
      await count('held'),
      await count('delivered'),
      await count('exhausted'),
    ]
    expect(await counts()).toEqual([0, 1, 1, 5])
    const [held] = await deliveries('status=held')
    expect(held).toMatchObject({ status: 'held', next_attempt_at: null, ended_at: null })
    const event = (await tenant.get(`/v1/events/${held.event_id}`)).json
    expect(event.data.id).toBe(waiting.id)
    await tenant.post(`${at}/reactivate`, {})
    expect(await counts()).toEqual([6, 0, 1, 0])
  })
})

test('a delivery of another endpoint is a 404', async () => {
  const other = `/v1/webhooks/${(await tenant.post('/v1/webhooks', { url })).json.id}`
  await pay()
  const [elsewhere] = (await tenant.get(`${other}/deliveries`)).json.data
  const [own] = await deliveries()
  expect(own.event_id).toBe(elsewhere.event_id)
  expect(own.id).not.toBe(elsewhere.id)
  for (const reply of [await tenant.get(`${at}/deliveries/${elsewhere.id}`), await resend(elsewhere.id)])
    expect(outcome(reply)).toEqual([404, 'DELIVERY_NOT_FOUND'])
})

describe('POST /v1/webhooks/{id}/reactivate', () => {
  test('spec §6.4, §6.5 — 5 exhausted events in a row pause the endpoint, events queue, and a reactivation sends them', async () => {
    await pause()
    const [sentBefore, paused] = [api.webhooks.sent.length, await endpoint()]
    expect(paused.paused_at).toBe('2026-03-02T19:00:00.000Z')
    for (let i = 0; i < 3; i++) await pay()
    await api.deliver()
    expect(api.webhooks.sent).toHaveLength(sentBefore)
    expect(await endpoint()).toMatchObject({ queued: 3 })

    const { queued: _, ...shown } = paused
    const reply = await tenant.post(`${at}/reactivate`, undefined)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      ...shown,
      status: 'active',
      consecutive_exhausted: 0,
      paused_by: null,
      paused_at: null,
      updated_at: api.clock.now().toISOString(),
      requeued: 3,
      redelivered: 5,
    })
    api.clock.step(1_000)
    await api.deliver()
    expect(await deliveries('status=delivered')).toHaveLength(8)
  })
})

describe('POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend', () => {
  test('202, and the same bytes are sent again', async () => {
    await pay()
    await api.deliver()
    const before = await newest()
    const reply = await resend(before.id)
    expect(reply.status).toBe(202)
    expect(reply.json).toMatchObject({ id: before.id, status: 'pending', ended_at: null })
    await api.deliver()
    const [first, second] = api.webhooks.sent
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers['X-Service-Event-Id']).toBe(before.event_id)
    expect(await newest()).toMatchObject({ status: 'delivered', attempts: [{}, {}] })
  })
})
