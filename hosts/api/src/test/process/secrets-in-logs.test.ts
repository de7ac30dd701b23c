import { beforeAll, expect, test } from 'vitest'
import { base64Token } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant
let secret: string

beforeAll(async () => {
  tenant = await api.tenant()
  secret = (await tenant.post('/v1/webhooks', { url: 'https://example.com' })).json.secret
})

/** The log lines of a request, when it has ended. */
async function linesAfter(send: () => Promise<unknown>): Promise<string> {
  const before = api.lines().length
  await send()
  await expect.poll(() => api.lines().length).toBeGreaterThan(before)
  return JSON.stringify(api.lines().slice(before))
}

const secrets: readonly (readonly [what: string, text: () => string])[] = [
  ['an API key', () => tenant.key],
  ['a key of production', () => `qpu_live_${'ab'.repeat(20)}`],
  ['a webhook secret', () => secret],
  ['an operator token', () => base64Token],
]

test.each(secrets)('%s in a path is redacted in the log', async (_, text) => {
  for (const path of [
    `/v1/payouts/${text()}`,
    `/v1/${text()}/x`,
    `/v1/payouts/key=${text()}`,
    `/v1/payouts/${text()}${text()}`,
    `/v1/payouts/%20${text().replaceAll('_', '%5F')}`,
  ]) {
    for (const [url, options] of [
      [api.url, { key: tenant.key }],
      [api.url, {}],
      [api.operatorUrl, { token: base64Token }],
    ] as const) {
      const lines = await linesAfter(() => sendRequest(url + path, 'GET', options))
      expect(lines).not.toContain(text())
      expect(lines).not.toContain(text().slice(-20))
      expect(lines).toContain('[redacted]')
      expect(lines).toContain('"path":"/v1/')
    }
  }
})

test.each(secrets)('%s as a request id is redacted in the log', async (_, text) => {
  for (const id of [text(), `x-${text()}`]) {
    const options = { headers: { 'X-Request-Id': id } }
    const onOperators = { token: base64Token, ...options }
    const send = () => sendRequest(`${api.operatorUrl}/operator/v1/tenants`, 'GET', onOperators)
    expect(await linesAfter(send)).not.toContain(text())
    if (text() === base64Token) return // The public listener cannot recognize it.
    expect(await linesAfter(() => tenant.get('/v1/wallets', options))).not.toContain(text())
  }
})

test('a request id that is a key is redacted in error lines too', async () => {
  const { find } = api.stores.wallets
  api.stores.wallets.find = () => Promise.reject(new Error('a bug'))
  const headers = { 'X-Request-Id': tenant.key }
  const lines = await linesAfter(() => tenant.get('/v1/wallets', { headers }))
  api.stores.wallets.find = find
  expect(lines).toContain('a bug')
  expect(lines).not.toContain(tenant.key)
})

test.each([
  '/v1/payouts/po_01K6HZ8M00000000000000000A',
  '/v1/quotes/0199a3f4-5c00-7000-8000-000000000001',
  '/v1/webhooks/we_01K6HZ8M00000000000000000A/deliveries/dlv_01K6HZ8M00000000000000000A/resend',
])('a path of ids is logged unchanged: %s', async (path) => {
  expect(await linesAfter(() => tenant.get(path))).toContain(`"path":"${path}"`)
})

test.each(['4bf92f3577b34da6a3ce929d0e0e4736', 'order-77_a', 'x'.repeat(64)])(
  'any other request id is logged unchanged: %s',
  async (id) => {
    const headers = { 'X-Request-Id': id }
    const lines = await linesAfter(() => tenant.get('/v1/wallets', { headers }))
    expect(lines).toContain(`"request_id":"${id}"`)
  },
)
