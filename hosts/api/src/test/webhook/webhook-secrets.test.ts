import { verifyWebhook } from '@quipu/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Json, Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { failed } from '../harness/webhooks.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
let endpoint: Json
let at: string

beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
  endpoint = (await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })).json
  at = `/v1/webhooks/${endpoint.id}`
})

const outcome = ({ status, code }: Reply) => [status, code]
const testIt = (body?: object) => tenant.post(`${at}/test`, body)
const rotate = (body?: object) => tenant.post(`${at}/rotate-secret`, body)

/** The last request, and the secrets that verify it. */
async function signedWith(...secrets: string[]): Promise<boolean[]> {
  await testIt()
  const { headers = {}, body = new Uint8Array() } = api.webhooks.sent.at(-1) ?? {}
  const header = headers['X-Service-Signature'] ?? ''
  return secrets.map((secret) => verifyWebhook([secret], header, body, api.clock.now()) === null)
}

describe('POST /v1/webhooks/{id}/test', () => {
  test('spec §6 — sends webhook.test at once, signed, with data {webhook_id}', async () => {
    const reply = await testIt()
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      delivered: true,
      status_code: 200,
      latency_ms: 12,
      error: null,
    })
    const [sent] = api.webhooks.sent
    expect(sent?.url).toBe('https://example.com/quipu')
    expect(JSON.parse(Buffer.from(sent?.body ?? []).toString())).toEqual({
      id: reply.json.event_id,
      type: 'webhook.test',
      event_version: 1,
      occurred_at: '2026-03-02T12:00:00.000Z',
      recorded_at: '2026-03-02T12:00:00.000Z',
      data: { webhook_id: endpoint.id },
    })
    expect(sent?.headers['X-Service-Event-Id']).toBe(reply.json.event_id)
    const header = sent?.headers['X-Service-Signature'] ?? ''
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    const body = sent?.body ?? new Uint8Array()
    expect(verifyWebhook([endpoint.secret], header, body, api.clock.now())).toBeNull()
  })

  test.each([
    [failed, { delivered: false, status_code: 503, latency_ms: 7, error: 'STATUS' }],
    [
      { statusCode: null, latencyMs: 10_000, error: 'TIMEOUT', excerpt: null },
      { delivered: false, status_code: null, latency_ms: 10_000, error: 'TIMEOUT' },
    ],
  ] as const)(
    'spec §6 — a failed test is reported, and neither retried, counted nor stored: %j',
    async (result, expected) => {
      api.webhooks.answer = async () => result
      for (let i = 0; i < 6; i++) expect((await testIt()).json).toMatchObject(expected)
      api.clock.step(86_400_000)
      await api.deliver()
      expect(api.webhooks.sent).toHaveLength(6)
      expect((await tenant.get(at)).json).toMatchObject({ status: 'active', consecutive_exhausted: 0, queued: 0 })
      expect((await tenant.get(`${at}/deliveries`)).json.data).toEqual([])
      expect((await tenant.get('/v1/events')).json.data).toEqual([])
    },
  )

  test('the header prefix is a setting, and the document states it', async () => {
    const branded = await testApi({ WEBHOOK_HEADER_PREFIX: 'X-Acme-' })
    const by = await branded.tenant()
    const made = await by.post('/v1/webhooks', { url: 'https://example.com' })
    await by.post(`/v1/webhooks/${made.json.id}/test`, undefined)
    expect(Object.keys(branded.webhooks.sent[0]?.headers ?? {})).toEqual([
      'Content-Type',
      'X-Acme-Event-Id',
      'X-Acme-Signature',
    ])
    const document = await by.get('/v1/openapi.json')
    expect(JSON.stringify(document.json['x-webhooks'])).toContain('X-Acme-Signature')
    await branded.stop()
  })
})

describe('POST /v1/webhooks/{id}/rotate-secret', () => {
  test('returns the endpoint with its new secret', async () => {
    api.clock.step(1_000)
    const reply = await rotate()
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      ...endpoint,
      secrets: [
        { last_four: reply.json.secret.slice(-4), expires_at: null },
        { last_four: endpoint.secret.slice(-4), expires_at: '2026-03-03T12:00:01.000Z' },
      ],
      updated_at: '2026-03-02T12:00:01.000Z',
      secret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/),
    })
    expect(reply.json.secret).not.toBe(endpoint.secret)
  })

  test('a further rotation never shortens an earlier grace period, but 0 ends all of them', async () => {
    const second = (await rotate({ grace_seconds: 604_800 })).json.secret
    const third = (await rotate({ grace_seconds: 1 })).json.secret
    api.clock.step(604_799_000)
    expect(await signedWith(endpoint.secret, second, third)).toEqual([true, false, true])
    const fourth = (await rotate({ grace_seconds: 0 })).json
    expect(fourth.secrets).toEqual([{ last_four: fourth.secret.slice(-4), expires_at: null }])
    const all = [endpoint.secret, second, third, fourth.secret]
    expect(await signedWith(...all)).toEqual([false, false, false, true])
    expect((await tenant.get(at)).json.secrets).toEqual(fourth.secrets)
  })

  test('five secrets may be valid: the sixth is a 409 and changes nothing', async () => {
    const secrets: string[] = [endpoint.secret]
    for (let i = 0; i < 4; i++) secrets.push((await rotate({ grace_seconds: 60 })).json.secret)
    expect(outcome(await rotate({ grace_seconds: 60 }))).toEqual([409, 'TOO_MANY_SECRETS'])
    expect(await signedWith(...secrets)).toEqual([true, true, true, true, true])
    api.clock.step(60_000)
    expect((await rotate()).status).toBe(200)
  })
})
