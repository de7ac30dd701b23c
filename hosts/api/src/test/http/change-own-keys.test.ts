import type { ApiKeyScope } from '@quipu/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
afterEach(() => api.stop())

const managing: readonly ApiKeyScope[] = ['keys:read', 'keys:write', 'wallet:read']
const rotate = (key: string, id: string, body: unknown = { overlap_seconds: 0 }) =>
  api.request('POST', `/v1/api-keys/${id}/rotate`, { key, body })
const revoke = (key: string, id: string) => api.request('POST', `/v1/api-keys/${id}/revoke`, { key })
const current = (key: string) => api.request('GET', '/v1/api-keys/current', { key })

test('a tenant whose only key leaked replaces it, and the thief’s is refused', async () => {
  const { key, keyId } = await api.tenant({ scopes: managing })
  const last = await revoke(key, keyId)
  expect([last.status, last.code]).toEqual([409, 'API_KEY_IS_LAST'])
  const next = await rotate(key, keyId)
  expect(next.status).toBe(201)
  expect(next.json).toMatchObject({ status: 'active', scopes: managing, replaces: keyId, last_used_at: null })
  expect((await rotate(key, keyId)).status).toBe(401)
  expect((await current(key)).status).toBe(401)
  expect((await current(next.json.key)).json).toMatchObject({ id: next.json.id, last_four: next.json.key.slice(-4) })
  expect((await revoke(next.json.key, keyId)).status).toBe(204)
  expect((await revoke(next.json.key, keyId)).status).toBe(204)
  const dead = await rotate(next.json.key, keyId)
  expect([dead.status, dead.code]).toEqual([409, 'API_KEY_NOT_ACTIVE'])
})

test('a key with more scopes is revoked, not replaced', async () => {
  const { key, id } = await api.tenant({ scopes: managing })
  const paying = await api.operator('POST', `/operator/v1/tenants/${id}/api-keys`, {
    name: 'tills',
    scopes: ['payouts:write'],
  })
  const wider = await rotate(key, paying.json.id)
  expect([wider.status, wider.code]).toEqual([403, 'SCOPE_REQUIRED'])
  expect((await revoke(key, paying.json.id)).status).toBe(204)
  const far = await rotate(key, paying.json.id, { overlap_seconds: 2_592_001 })
  expect([far.status, far.json.error.details[0].field]).toEqual([400, 'overlap_seconds'])
})
