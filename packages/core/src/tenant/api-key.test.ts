import { expect, test } from 'vitest'
import { apiKeyStatusAt } from './api-key.ts'

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
