import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'
import { sendRequest, type Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant

async function open(env: Record<string, string> = {}): Promise<void> {
  api = await testApi(env)
  tenant = await api.tenant()
}
beforeEach(() => open())
afterEach(() => api.stop())

const outcome = ({ status, code }: Reply) => [status, code]
const as = (token: string, method: string, path: string, body?: unknown) =>
  sendRequest(api.operatorUrl + path, method, { token, body })
const keyPath = (id = tenant.keyId) => `/operator/v1/api-keys/${id}`
const rotate = (body?: unknown, id?: string) => api.operator('POST', `${keyPath(id)}/rotate`, body)
const statusWith = async (key: string) => (await api.request('GET', '/v1/wallets', { key })).status
const hour = 3_600_000

test('the new key lives as long as the old one did, and the old one no longer than it would have', async () => {
  const path = `/operator/v1/tenants/${tenant.id}/api-keys`
  const request = { name: 'x', scopes: ['wallet:read'], expires_at: '2026-03-02T22:00:00.000Z' }
  const { id, key } = (await api.operator('POST', path, request)).json
  api.clock.step(9 * hour)
  const next = await rotate(undefined, id)
  expect(next.json.expires_at).toBe('2026-03-03T07:00:00.000Z')
  api.clock.step(hour)
  expect([await statusWith(key), await statusWith(next.json.key)]).toEqual([401, 200])
})

test('an operator rotates a key that does not pay; one that pays takes an admin', async () => {
  const path = `/operator/v1/tenants/${tenant.id}/api-keys`
  const reading = (await api.operator('POST', path, { name: 'x', scopes: ['wallet:read'] })).json
  expect((await as('operators', 'POST', `${keyPath(reading.id)}/rotate`)).status).toBe(201)
  const refused = await as('operators', 'POST', `${keyPath()}/rotate`)
  expect(outcome(refused)).toEqual([403, 'ROLE_REQUIRED'])
  for (const overlap_seconds of [-1, 2_592_001, 1.5, '1'])
    expect((await rotate({ overlap_seconds })).json.error.details).toMatchObject([{ field: 'overlap_seconds' }])
})

test('a key may be used from its allowed addresses alone, within 5 s', async () => {
  await api.stop()
  await open({ TRUSTED_PROXIES: '1' })
  const from = async (address: string) => {
    const headers = { 'X-Forwarded-For': address }
    return outcome(await tenant.get('/v1/wallets', { headers }))
  }
  expect(await from('203.0.113.9')).toEqual([200, undefined])
  const allowed_addresses = ['192.0.2.0/24', '2001:db8::/32']
  const reply = await api.operator('PATCH', keyPath(), { allowed_addresses })
  expect([reply.status, reply.json]).toMatchObject([200, { id: tenant.keyId, allowed_addresses }])
  api.clock.step(5_000)
  const refused = [403, 'ADDRESS_NOT_ALLOWED']
  expect(await from('192.0.2.200')).toEqual([200, undefined])
  expect(await from('2001:db8:1::2')).toEqual([200, undefined])
  expect(await from('203.0.113.9')).toEqual(refused)
  expect(await from('192.0.2.1, 203.0.113.9')).toEqual(refused)
  expect(await from('spoofed')).toEqual(refused)
  const { json } = await tenant.get('/v1/wallets', { headers: { 'X-Forwarded-For': '203.0.113.9' } })
  expect(json.error.message).toBe('The API key may not be used from 203.0.113.9.')
  const next = (await rotate()).json
  expect(next.allowed_addresses).toEqual(allowed_addresses)
  await api.operator('PATCH', keyPath(), { allowed_addresses: null })
  api.clock.step(5_000)
  expect(await from('203.0.113.9')).toEqual([200, undefined])
})
