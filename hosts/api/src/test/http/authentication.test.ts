import { operatorNamed } from '@quipu/contracts'
import { type ApiKeyScope, apiKeyScopes, Unavailable } from '@quipu/core'
import { manageApiKeys } from '@quipu/core/operator'
import { publicOpenApi } from '@quipu/wire'
import { systemIds, systemRandom } from '@quipu/core/system'
import { expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each')

const refused = [401, 'AUTHENTICATION_FAILED']
const systemPorts = { ids: systemIds, random: systemRandom }

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['unknown', `qpu_test_${'0'.repeat(40)}`],
  ['of another shape', 'Bearer x'],
  ['very long', 'x'.repeat(8_000)],
])('spec §5 — a key that is %s: 401', async (_, key) => {
  const reply = await api.request('GET', '/v1/wallets', { key })
  expect([reply.status, reply.code]).toEqual(refused)
  expect(reply.json.error.details).toBeUndefined()
})

test.each([
  ['sandbox', 'live'],
  ['sandbox', 'mock'],
  ['production', 'test'],
] as const)('in %s a %s key is a 401, although its hash is stored', async (env, kind) => {
  const other = await testApi({ ENVIRONMENT: env })
  try {
    const { id } = await other.tenant()
    const issue = manageApiKeys({ ...other.stores, ...systemPorts, now: other.clock.now }, kind).issue
    const issued = await issue(operatorNamed('ada'), id, { name: 'x', scopes: ['wallet:read'], expiresAt: null })
    if (issued.type === 'refused') throw new Error(issued.code)
    const reply = await other.request('GET', '/v1/wallets', { key: issued.key })
    expect([reply.status, reply.code]).toEqual(refused)
  } finally {
    await other.stop()
  }
})

test('spec §5 — a revoked key is refused within 5 s', async () => {
  const tenant = await api.tenant()
  expect((await tenant.get('/v1/wallets')).status).toBe(200)
  expect((await api.operator('DELETE', `/operator/v1/api-keys/${tenant.keyId}`)).status).toBe(204)
  api.clock.step(5_000)
  const reply = await tenant.get('/v1/wallets')
  expect([reply.status, reply.code]).toEqual(refused)
})

test.each([
  [{}, 'Send the API key in the header X-API-Key.'],
  [{ Authorization: 'Bearer qpu_test_x' }, 'Send the API key in the header X-API-Key; Authorization is not read here.'],
  [
    { 'X-API-Key': 'qpu_mock_x' },
    'A key that begins with qpu_mock_ works on the example server only; here keys begin with qpu_test_.',
  ],
  [
    { 'X-API-Key': 'qpu_live_x' },
    'A key that begins with qpu_live_ works in production only; here keys begin with qpu_test_.',
  ],
  [{ 'X-API-Key': 'sk_x' }, 'This is no API key of Quipu: here keys begin with qpu_test_.'],
  [{ 'X-API-Key': 'qpu_test_x' }, 'The API key is missing, unknown, revoked or expired, or the tenant is suspended.'],
])('a 401 to %j says how to send a key', async (headers, message) => {
  const reply = await api.request('GET', '/v1/wallets', { headers })
  expect([reply.status, reply.json.error.message]).toEqual([401, message])
})

test('spec §5 — a key is refused from its expiry on, also when it is cached', async () => {
  const { id } = await api.tenant()
  const issued = await api.operator('POST', `/operator/v1/tenants/${id}/api-keys`, {
    name: 'short',
    scopes: ['wallet:read'],
    expires_at: '2026-03-02T12:00:01Z',
  })
  const key: string = issued.json.key
  expect((await api.request('GET', '/v1/wallets', { key })).status).toBe(200)
  api.clock.step(999)
  expect((await api.request('GET', '/v1/wallets', { key })).status).toBe(200)
  api.clock.step(1)
  expect((await api.request('GET', '/v1/wallets', { key })).status).toBe(401)
})

test('spec §5 — a suspended tenant is refused within 5 s, and accepted again when resumed', async () => {
  const tenant = await api.tenant()
  expect((await tenant.get('/v1/wallets')).status).toBe(200)
  await api.operator('POST', `/operator/v1/tenants/${tenant.id}/suspend`, { reason: 'a drill' })
  api.clock.step(5_000)
  expect((await tenant.get('/v1/wallets')).status).toBe(401)
  await api.operator('POST', `/operator/v1/tenants/${tenant.id}/resume`, { reason: 'a drill' })
  api.clock.step(5_000)
  expect((await tenant.get('/v1/wallets')).status).toBe(200)
})

type Secured = { readonly security?: readonly { readonly ApiKey?: readonly ApiKeyScope[] }[] }

/** Each operation with the scope that the document states. */
const needs = Object.entries(publicOpenApi().paths as Record<string, Record<string, Secured>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      (security?.[0]?.ApiKey ?? []).map((scope) => [method.toUpperCase(), path, scope] as const),
    ),
)

test.each(needs)('spec §5 — %s %s needs %s and no other scope', async (method, named, scope) => {
  const path = named.replaceAll(/[{]\w+[}]/g, 'x')
  const body = method === 'POST' || method === 'PATCH' ? {} : undefined
  const all = await api.tenant({ scopes: apiKeyScopes.filter((each) => each !== scope) })
  const refusal = await api.request(method, path, { key: all.key, body })
  expect([refusal.status, refusal.code]).toEqual([403, 'SCOPE_REQUIRED'])
  expect(refusal.json.error.message).toContain(scope)
  expect((await api.request(method, path, { body })).status).toBe(401)
  const one = await api.tenant({ scopes: [scope] })
  expect([200, 400, 404]).toContain((await api.request(method, path, { key: one.key, body })).status)
})

test('checks come in order: key, path, method, scope, size, type, syntax, members', async () => {
  const tenant = await api.tenant({ scopes: ['payouts:read'] })
  const writer = await api.tenant({ scopes: ['payouts:write'] })
  const big = `{"transaction_id": "${'x'.repeat(70_000)}`
  const text = { 'Content-Type': 'text/plain' }
  const send = (method: string, path: string, key?: string, raw?: string, headers = {}) =>
    api.request(method, path, { key, headers, ...(raw !== undefined && { raw }) })

  // Each request violates this rule and, where possible, every later one.
  expect((await send('PUT', '/v1/nothing', undefined, big, text)).status).toBe(401)
  expect((await send('PUT', '/v1/nothing', tenant.key, big, text)).status).toBe(404)
  expect((await send('PUT', '/v1/payouts', tenant.key, big, text)).status).toBe(405)
  expect((await send('POST', '/v1/payouts', tenant.key, big, text)).status).toBe(403)
  expect((await send('POST', '/v1/payouts', writer.key, big, text)).status).toBe(413)
  expect((await send('POST', '/v1/payouts', writer.key, '{"a"', text)).status).toBe(415)
  const malformed = await send('POST', '/v1/payouts', writer.key, '{"a"')
  expect(malformed.json.error.details).toEqual([{ field: 'body', message: expect.any(String) }])
  const invalid = await send('POST', '/v1/payouts', writer.key, '{}')
  expect(invalid.json.error.details.length).toBeGreaterThan(1)
})

test('a failed key lookup is a 503, and on POST /payouts OPERATION_UNCERTAIN', async () => {
  api.stores.apiKeys.findCaller = async () => {
    throw new Unavailable('store', 'gone')
  }
  const key = 'qpu_test_x'
  const read = await api.request('GET', '/v1/payouts', { key })
  expect([read.status, read.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  const write = await api.request('POST', '/v1/payouts', { key, body: {} })
  expect([write.status, write.code]).toEqual([503, 'OPERATION_UNCERTAIN'])
})

test('the last use of a key is recorded', async () => {
  const tenant = await api.tenant()
  await tenant.get('/v1/wallets')
  await api.settled()
  const keys = await api.operator('GET', `/operator/v1/tenants/${tenant.id}/api-keys`)
  expect(keys.json.data[0].last_used_at).toBe('2026-03-02T12:00:00.000Z')
})
