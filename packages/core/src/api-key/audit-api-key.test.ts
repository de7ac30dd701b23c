import { describe, expect, test } from 'vitest'
import { originOf } from '../audit/operator.fixture.ts'
import type { ApiKey } from './api-key.ts'
import { keyAddressesSet, keyIssued, keyRevoked, keyRotated } from './audit-api-key.ts'

const at = new Date('2026-11-22T08:00:00.000Z')
const expiresAt = new Date('2026-12-24T08:00:00.000Z')
const by = { ...originOf('ana'), at }

describe('the audit entry of an API key', () => {
  const key: ApiKey = {
    id: 'key_1',
    tenantId: 'ten_1',
    name: 'server',
    prefix: 'qpu_test_',
    lastFour: 'abcd',
    hash: 'ef'.repeat(32),
    scopes: ['payouts:read', 'wallet:read'],
    createdAt: at,
    activatedAt: at,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    replaces: null,
    allowedAddresses: null,
  }
  const about = { ...originOf('ana'), tenantId: 'ten_1', subject: 'key_1', at }

  test('that is issued has its name, its rights and its expiry, and what else it has', () => {
    const plain = { name: 'server', scopes: ['payouts:read', 'wallet:read'], expires_at: null }
    const entry = { ...about, action: 'api_key.issue', before: null }
    expect(keyIssued(key, by, null)).toEqual({ ...entry, after: plain })
    const replaces = { keyId: 'key_0', overlapSeconds: 86_400 }
    const full = { ...key, expiresAt, replaces, allowedAddresses: ['192.0.2.1'] }
    expect(keyIssued(full, by, 'prp_1')).toEqual({
      ...entry,
      after: {
        ...plain,
        expires_at: '2026-12-24T08:00:00.000Z',
        replaces: 'key_0',
        overlap_seconds: 86_400,
        allowed_addresses: ['192.0.2.1'],
        proposal_id: 'prp_1',
      },
    })
  })

  test('that is replaced has its new expiry and the key that replaces it', () => {
    const entry = {
      ...about,
      action: 'api_key.rotate',
      before: { expires_at: null },
      after: { expires_at: '2026-12-24T08:00:00.000Z', replaced_by: 'key_2' },
    }
    const next = { id: 'key_2', replacedExpiresAt: expiresAt }
    expect(keyRotated(key, next, by)).toEqual(entry)
    expect(keyRotated({ ...key, expiresAt: at }, next, by)).toEqual({
      ...entry,
      before: { expires_at: '2026-11-22T08:00:00.000Z' },
    })
  })

  test('whose addresses are set has them before and after', () => {
    const old = { ...key, allowedAddresses: ['192.0.2.1'] }
    expect(keyAddressesSet(old, null, by)).toEqual({
      ...about,
      action: 'api_key.set_addresses',
      before: { allowed_addresses: ['192.0.2.1'] },
      after: { allowed_addresses: null },
    })
  })

  test('that is revoked has the instant', () => {
    expect(keyRevoked(key, by)).toEqual({
      ...about,
      action: 'api_key.revoke',
      before: { revoked_at: null },
      after: { revoked_at: '2026-11-22T08:00:00.000Z' },
    })
  })
})
