import { verifyWebhook } from '@quipu/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
let endpoint: Json
let at: string

beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
  endpoint = (await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })).json
  at = `/v1/webhooks/${endpoint.id}`
})

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
})
