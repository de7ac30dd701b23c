import type { ApiKey } from '@quipu/core'
import { anyApiKey } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownApiKey, ownApiKeyListQuery, ownApiKeyToJson, parseOwnApiKeyList } from './api-key.ts'

const at = (day: number): Date => new Date(Date.UTC(2026, 10, day))

const key: ApiKey = {
  id: 'key_01KAGZ8M88000000000000000A',
  tenantId: 'ten_01KAGZ8M88000000000000000A',
  name: 'backend',
  prefix: 'qpu_test_',
  lastFour: '00a1',
  hash: 'ab'.repeat(32),
  scopes: ['payouts:write', 'payouts:read'],
  createdAt: at(1),
  activatedAt: at(2),
  lastUsedAt: at(3),
  expiresAt: at(20),
  revokedAt: null,
  replaces: { keyId: 'key_01KAGZ8M88000000000000000B', overlapSeconds: 86_400 },
  allowedAddresses: ['192.0.2.10'],
}

test('a tenant reads its key without the tenant, the hash and the overlap', () => {
  const json = ownApiKeyToJson(key, at(4))
  expect(json).toEqual({
    id: key.id,
    name: 'backend',
    prefix: 'qpu_test_',
    last_four: '00a1',
    status: 'active',
    scopes: ['payouts:write', 'payouts:read'],
    allowed_addresses: ['192.0.2.10'],
    replaces: 'key_01KAGZ8M88000000000000000B',
    created_at: '2026-11-01T00:00:00.000Z',
    activated_at: '2026-11-02T00:00:00.000Z',
    last_used_at: '2026-11-03T00:00:00.000Z',
    expires_at: '2026-11-20T00:00:00.000Z',
    revoked_at: null,
  })
  expect(ownApiKeyToJson({ ...key, revokedAt: at(4) }, at(5))).toMatchObject({
    status: 'revoked',
    revoked_at: '2026-11-04T00:00:00.000Z',
  })
})

test('the instant of the answer decides whether a key is expired', () => {
  expect(ownApiKeyToJson(key, at(20)).status).toBe('expired')
})

test('what a key lacks is null', () => {
  const none = { activatedAt: null, lastUsedAt: null, expiresAt: null, replaces: null }
  expect(ownApiKeyToJson({ ...key, ...none, allowedAddresses: null }, at(4))).toMatchObject({
    status: 'inactive',
    allowed_addresses: null,
    replaces: null,
    activated_at: null,
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  })
})

test('every key satisfies its schema and shows no hash', () => {
  fc.assert(
    fc.property(anyApiKey(key.tenantId), (any) => {
      const json = ownApiKeyToJson(any, at(4))
      expect(ownApiKey.parse(json)).toEqual(json)
      expect(JSON.stringify(json)).not.toContain(any.hash)
    }),
  )
})

test('a list has a limit and a cursor of the tenant’s own keys', () => {
  expect(parseOwnApiKeyList('ten_1', 'limit=7')).toMatchObject({ ok: true, value: { query: { limit: 7 } } })
  const scopes = ['ten_1', 'ten_2'].map((tenantId) => {
    const parsed = parseOwnApiKeyList(tenantId, '')
    return parsed.ok ? JSON.stringify(parsed.value.scope) : ''
  })
  expect(scopes[0]).not.toBe(scopes[1])
  expect(parseOwnApiKeyList('ten_1', 'limit=0').ok).toBe(false)
  expect(parseOwnApiKeyList('ten_1', 'status=active')).toMatchObject({
    ok: false,
    issues: [{ message: 'is not allowed in the query; allowed are limit, cursor' }],
  })
  expect(Object.keys(ownApiKeyListQuery.shape)).toEqual(['limit', 'cursor'])
})
