import { expect, test } from 'vitest'
import { type ApiKey, apiKeyStatusAt, isKeyUsable, keyNeedsTwo, makeApiKey, replacedKeyExpiry } from './api-key.ts'
import { type ApiKeyScope } from '../access/api-key-scope.ts'
import { cellLetters } from '../ids.ts'
import { tenant } from '../tenant/tenant.fixture.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 21) + seconds * 1_000)

test.each([
  ['active', { activatedAt: at(0), expiresAt: null, revokedAt: null }],
  ['active', { activatedAt: at(0), expiresAt: at(61), revokedAt: null }],
  ['expired', { activatedAt: at(0), expiresAt: at(60), revokedAt: null }],
  ['inactive', { activatedAt: null, expiresAt: at(61), revokedAt: null }],
  ['expired', { activatedAt: null, expiresAt: at(60), revokedAt: null }],
  ['revoked', { activatedAt: at(0), expiresAt: at(60), revokedAt: at(1) }],
  ['revoked', { activatedAt: null, expiresAt: null, revokedAt: at(1) }],
])('a minute later a key is %s: %o', (status, key) => {
  expect(apiKeyStatusAt(key, at(60))).toBe(status)
})

test('a replaced key works for the overlap, and no longer than before', () => {
  const overlap = { keyId: 'key_1', overlapSeconds: 86_400 }
  const expiryOf = (expiresAt: Date | null) => replacedKeyExpiry({ expiresAt }, overlap, at(0))
  const day = 86_400
  expect(expiryOf(null)).toEqual(at(day))
  expect(expiryOf(at(day + 1))).toEqual(at(day))
  expect(expiryOf(at(day - 1))).toEqual(at(day - 1))
  expect(replacedKeyExpiry({ expiresAt: null }, { ...overlap, overlapSeconds: 0 }, at(7))).toEqual(at(7))
})

test.each<[boolean, string, readonly ApiKeyScope[]]>([
  [true, 'qpu_live_', ['payouts:read', 'payouts:write']],
  [false, 'qpu_live_', ['payouts:read', 'wallet:write']],
  [false, 'qpu_test_', ['payouts:write']],
  [false, 'qpu_mock_', ['payouts:write']],
])('whether two people issue a key: %j, %s with %j', (needsTwo, prefix, scopes) => {
  expect(keyNeedsTwo({ prefix, scopes })).toBe(needsTwo)
})

test('only an active key of an active tenant is usable', () => {
  const key: ApiKey = {
    ...makeApiKey('test', (size) => new Uint8Array(size)),
    id: 'key_1',
    tenantId: tenant.id,
    name: 'server',
    scopes: [],
    createdAt: at(0),
    activatedAt: at(0),
    lastUsedAt: null,
    expiresAt: at(60),
    revokedAt: null,
    replaces: null,
    allowedAddresses: null,
  }
  expect(isKeyUsable({ key, tenant }, at(59))).toBe(true)
  expect(isKeyUsable({ key, tenant }, at(60))).toBe(false)
  expect(isKeyUsable({ key, tenant: { ...tenant, status: 'suspended' } }, at(59))).toBe(false)
})

test('a cell’s key has its letter after the prefix, where no key without a letter has one', () => {
  const zeros = (size: number) => new Uint8Array(size)
  const { key, prefix } = makeApiKey('live', zeros, 'g')
  expect(key).toBe(`qpu_live_g${'0'.repeat(40)}`)
  expect(prefix).toBe('qpu_live_')
  expect(makeApiKey('live', zeros).key).toBe(`qpu_live_${'0'.repeat(40)}`)
  for (const letter of cellLetters) expect(letter).not.toMatch(/[0-9a-filou]/)
})
