import { auditEntries } from '@quipu/contracts'
import { apiKeyScopes } from '@quipu/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { base64Token, type TestApi, testApi } from '../harness/api.fixture.ts'
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

test('both keys work until the overlap ends, then the new one alone', async () => {
  const { status, json } = await rotate({ overlap_seconds: 7_200 })
  expect(status).toBe(201)
  expect(json).toMatchObject({
    name: 'backend',
    scopes: apiKeyScopes,
    replaces: tenant.keyId,
    expires_at: null,
    proposal_id: null,
    tenant_id: tenant.id,
  })
  expect([await statusWith(tenant.key), await statusWith(json.key)]).toEqual([200, 200])
  api.clock.step(2 * hour - 1)
  expect([await statusWith(tenant.key), await statusWith(json.key)]).toEqual([200, 200])
  api.clock.step(1)
  expect(outcome(await tenant.get('/v1/wallets'))).toEqual([401, 'AUTHENTICATION_FAILED'])
  expect(await statusWith(json.key)).toBe(200)
  const [entry] = await auditEntries(api.stores.audit, { subject: tenant.keyId, limit: 1 })
  expect(entry).toMatchObject({
    actor: 'olivia',
    action: 'api_key.rotate',
    tenantId: tenant.id,
    before: { expires_at: null },
    after: { expires_at: '2026-03-02T14:00:00.000Z', replaced_by: json.id },
  })
  expect(outcome(await rotate())).toEqual([409, 'API_KEY_NOT_ACTIVE'])
})

test('a cached key expires within 5 s of a rotation without an overlap', async () => {
  expect(await statusWith(tenant.key)).toBe(200)
  expect((await rotate({ overlap_seconds: 0 })).status).toBe(201)
  api.clock.step(5_000)
  expect(await statusWith(tenant.key)).toBe(401)
})

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

test('in production a key that pays is replaced once another admin approves', async () => {
  await api.stop()
  await open({ ENVIRONMENT: 'production' })
  expect((await rotate()).json.error.details).toMatchObject([{ field: 'reason' }])
  const rotated = await rotate({ reason: 'The yearly rotation.' })
  expect(rotated.status).toBe(202)
  const { key, proposal_id: proposal } = rotated.json
  expect([await statusWith(tenant.key), await statusWith(key)]).toEqual([200, 401])
  const shown = await api.operator('GET', `/operator/v1/proposals/${proposal}`)
  expect(shown.json.details).toMatchObject({ replaces: tenant.keyId, overlap_seconds: 86_400 })
  api.clock.step(30 * hour)
  await as(base64Token, 'POST', `/operator/v1/proposals/${proposal}/approve`)
  expect([await statusWith(tenant.key), await statusWith(key)]).toEqual([200, 200])
  api.clock.step(24 * hour)
  expect([await statusWith(tenant.key), await statusWith(key)]).toEqual([401, 200])
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

test('a key is issued with its addresses, and wrong ones are refused', async () => {
  const path = `/operator/v1/tenants/${tenant.id}/api-keys`
  const request = { name: 'x', scopes: ['wallet:read'], allowed_addresses: ['203.0.113.9'] }
  const { key } = (await api.operator('POST', path, request)).json
  const reply = await api.request('GET', '/v1/wallets', { key })
  expect(outcome(reply)).toEqual([403, 'ADDRESS_NOT_ALLOWED'])
  for (const addresses of [[], ['localhost'], ['192.0.2.0/33'], ['1.2.3'], '192.0.2.1', [1]])
    expect(outcome(await api.operator('PATCH', keyPath(), { allowed_addresses: addresses }))).toEqual([
      400,
      'VALIDATION_FAILED',
    ])
})
