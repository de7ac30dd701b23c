import { apiKeyScopes } from '@quipu/core'
import { anyApiKey } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  apiKey,
  apiKeyToJson,
  issuedApiKey,
  issuedApiKeyToJson,
  parseApiKeyRequest,
} from './api-key.ts'

const proposalId = 'prp_01KAGZ8M88000000000000000A'
const body = { name: 'backend', scopes: ['payouts:write'] }

function refusal(changes: object): string[] {
  const parsed = parseApiKeyRequest({ ...body, ...changes })
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
}

test('reads a name, scopes and an optional expiry', () => {
  expect(parseApiKeyRequest(body)).toEqual({
    ok: true,
    value: {
      input: {
        ...{ name: 'backend', scopes: ['payouts:write'], expiresAt: null },
        allowedAddresses: null,
      },
      note: undefined,
    },
  })
  expect(parseApiKeyRequest({ ...body, reason: 'They go live.' })).toMatchObject({
    value: { note: { reason: 'They go live.', evidence: null } },
  })
  expect(
    parseApiKeyRequest({ ...body, expires_at: '2027-01-01T00:00:00.0009-04:00' }),
  ).toMatchObject({
    ok: true,
    value: { input: { expiresAt: new Date('2027-01-01T04:00:00.000Z') } },
  })
})

test('its name has 1 to 100 characters', () => {
  expect(refusal({ name: 'x'.repeat(100) })).toEqual([])
  for (const name of ['', 'x'.repeat(101), null, 1]) expect(refusal({ name })).toHaveLength(1)
})

test('spec §5: it has at least one scope, each known and once', () => {
  expect(refusal({ scopes: [...apiKeyScopes] })).toEqual([])
  for (const list of [[], ['payouts:write', 'payouts:write'], 'payouts:write', null, {}])
    expect(refusal({ scopes: list })).toEqual([
      'scopes must be a list of at least one scope, each once',
    ])
  expect(refusal({ scopes: ['payouts:write', 'payouts'] })).toEqual([
    'scopes.1 must be payouts:write, payouts:read, wallet:write, wallet:read, webhooks:read or webhooks:write',
  ])
})

test('its expiry is an instant with a zone', () => {
  for (const at of ['2027-01-01', '2027-01-01T00:00:00', '2027-02-29T00:00:00Z', null, 0])
    expect(refusal({ expires_at: at })).toEqual([
      'expires_at must be an ISO 8601 instant with a zone, such as 2026-11-20T15:04:05.000Z',
    ])
})

test('refuses other members', () => {
  expect(refusal({ key: 'mine' })).toEqual([
    'key is not allowed here; allowed are name, scopes, expires_at, allowed_addresses, reason, evidence',
  ])
})

test('spec §5: only the answer to issuing shows the key, and no answer shows its hash', () => {
  fc.assert(
    fc.property(anyApiKey('ten_01KAGZ8M88000000000000000A'), (record) => {
      const json = apiKeyToJson(record)
      const issued = issuedApiKeyToJson(record, 'qpu_test_secret', { id: proposalId })
      expect(apiKey.parse(json)).toEqual(json)
      expect(issuedApiKey.parse(issued)).toEqual(issued)
      expect(Object.keys(json)).toEqual([
        ...['id', 'tenant_id', 'name', 'prefix', 'last_four', 'scopes'],
        ...['created_at', 'activated_at', 'last_used_at', 'expires_at', 'revoked_at'],
        ...['replaces', 'allowed_addresses'],
      ])
      expect(issued).toEqual({ ...json, key: 'qpu_test_secret', proposal_id: proposalId })
      expect(issuedApiKeyToJson(record, 'x', null).proposal_id).toBeNull()
      expect(JSON.stringify(issued)).not.toContain(record.hash)
    }),
  )
})
