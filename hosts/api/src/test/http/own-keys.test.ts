import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant
beforeEach(async () => {
  api = await testApi() // At noon of 2 March 2026.
  tenant = await api.tenant()
})
afterEach(() => api.stop())

const issue = async (name: string, more: object = {}) =>
  (await api.operator('POST', `/operator/v1/tenants/${tenant.id}/api-keys`, { name, scopes: ['wallet:read'], ...more }))
    .json as { readonly id: string; readonly key: string }
const listed = async () => (await tenant.get('/v1/api-keys')).json.data as Json[]

test('a tenant sees each of its keys with its status, newest first, and never a key or its hash', async () => {
  api.clock.step(1_000)
  const short = await issue('short', { expires_at: '2026-03-02T13:00:00Z' })
  api.clock.step(1_000)
  const stolen = await issue('stolen', { expires_at: '2026-03-02T13:00:00Z' })
  api.clock.step(1_000)
  const next = (await api.operator('POST', `/operator/v1/api-keys/${tenant.keyId}/rotate`, {})).json
  await api.operator('DELETE', `/operator/v1/api-keys/${stolen.id}`)
  const { data, next_cursor } = (await tenant.get('/v1/api-keys')).json
  expect(next_cursor).toBeNull()
  expect(data.map(({ id, status, last_four }: Record<string, string>) => [id, status, last_four])).toEqual([
    [next.id, 'active', next.key.slice(-4)],
    [stolen.id, 'revoked', stolen.key.slice(-4)],
    [short.id, 'active', short.key.slice(-4)],
    [tenant.keyId, 'active', tenant.key.slice(-4)],
  ])
  expect(data[0]).toMatchObject({ replaces: tenant.keyId, last_used_at: null })
  expect(data[3]).toMatchObject({
    name: 'backend',
    prefix: 'qpu_test_',
    replaces: null,
    allowed_addresses: null,
    created_at: '2026-03-02T12:00:00.000Z',
    last_used_at: '2026-03-02T12:00:03.000Z',
    expires_at: '2026-03-03T12:00:03.000Z',
    revoked_at: null,
  })
  for (const key of [tenant.key, short.key, stolen.key, next.key]) expect(JSON.stringify(data)).not.toContain(key)
  const members = Object.keys(data[0])
  expect(members.filter((name) => /hash|tenant|^key$/.test(name))).toEqual([])

  api.clock.step(3_600_000)
  expect((await listed()).map(({ status }) => status)).toEqual(['active', 'revoked', 'expired', 'active'])
})

test('every key reads its own record, whatever its scopes, and lists the others with keys:read only', async () => {
  for (const scope of ['webhooks:read', 'keys:write'] as const) {
    const { id, key } = await issue('reader', { scopes: [scope], expires_at: '2026-03-02T13:00:00Z' })
    const own = await api.request('GET', '/v1/api-keys/current', { key })
    expect(own.status).toBe(200)
    expect(own.json).toMatchObject({ id, status: 'active', expires_at: '2026-03-02T13:00:00.000Z' })
    expect(own.json).toEqual({
      ...(await listed()).find((each) => each.id === id),
      last_used_at: own.json.last_used_at,
    })
    expect(JSON.stringify(own.json)).not.toContain(key)
    expect((await api.request('GET', '/v1/api-keys', { key })).code).toBe('SCOPE_REQUIRED')
  }
  expect((await api.request('GET', '/v1/api-keys/current')).status).toBe(401)
})
