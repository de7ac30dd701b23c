import { apiKeyScopes } from '@quipu/core'
import { anyApiKey } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import {
  apiKey,
  apiKeyToJson,
  issuedApiKey,
  issuedApiKeyToJson,
  parseApiKeyPatch,
  parseApiKeyRequest,
  parseRotateKey,
} from './operator-api-key.ts'

const proposalId = 'prp_01KAGZ8M88000000000000000A'
const body = { name: 'backend', scopes: ['payouts:write'] }

const refusal = (changes: object) => issuesOf(parseApiKeyRequest({ ...body, ...changes }))

test('reads a name, scopes and an optional expiry', () => {
  expect(parseApiKeyRequest(body)).toEqual({
    ok: true,
    value: {
      input: { name: 'backend', scopes: ['payouts:write'], expiresAt: null, allowedAddresses: null },
      note: undefined,
    },
  })
  expect(parseApiKeyRequest({ ...body, reason: 'They go live.' })).toMatchObject({
    value: { note: { reason: 'They go live.', evidence: null } },
  })
  expect(parseApiKeyRequest({ ...body, expires_at: '2027-01-01T00:00:00.0009-04:00' })).toMatchObject({
    ok: true,
    value: { input: { expiresAt: new Date('2027-01-01T04:00:00.000Z') } },
  })
})

test('its name has 1 to 100 characters, all of them seen', () => {
  expect(refusal({ name: 'x'.repeat(100) })).toEqual([])
  for (const name of ['', 'x'.repeat(101), null, 1, 'a\u001b[2J', 'a\nb', 'a\u202eb'])
    expect(refusal({ name })).toHaveLength(1)
})

test('spec §5: it has at least one scope, each known; one that is named twice counts once', () => {
  expect(refusal({ scopes: [...apiKeyScopes] })).toEqual([])
  const twice = parseApiKeyRequest({ ...body, scopes: ['payouts:write', 'payouts:write'] })
  expect(twice).toMatchObject({ value: { input: { scopes: ['payouts:write'] } } })
  for (const list of [[], 'payouts:write', null, {}])
    expect(refusal({ scopes: list })).toEqual(['scopes must be a list of at least one scope'])
  expect(refusal({ scopes: ['payouts:write', 'payouts'] })).toEqual([
    `scopes.1 must be ${apiKeyScopes.slice(0, -1).join(', ')} or ${apiKeyScopes.at(-1)}`,
  ])
})

test('spec §5: only the answer to issuing shows the key, and no answer shows its hash', () => {
  fc.assert(
    fc.property(anyApiKey('ten_01KAGZ8M88000000000000000A'), (record) => {
      const json = apiKeyToJson(record)
      const issued = issuedApiKeyToJson(record, 'qpu_test_secret', { id: proposalId })
      expect(apiKey.parse(json)).toEqual(json)
      expect(issuedApiKey.parse(issued)).toEqual(issued)
      expect(issued).toEqual({ ...json, key: 'qpu_test_secret', proposal_id: proposalId })
      expect(issuedApiKeyToJson(record, 'x', null).proposal_id).toBeNull()
      expect(JSON.stringify(issued)).not.toContain(record.hash)
    }),
  )
})

const addressesRule = 'must be a list of 1 to 100 addresses, or null for every address'
const manyAddresses = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `192.0.2.${n}`)

test('a key may be used from 1 to 100 addresses, or from every one', () => {
  for (const list of [null, ['192.0.2.10', '2001:db8:10::/48'], manyAddresses(100)]) {
    expect(parseApiKeyPatch({ allowed_addresses: list })).toEqual({ ok: true, value: { allowedAddresses: list } })
    expect(parseApiKeyRequest({ ...body, allowed_addresses: list })).toMatchObject({
      value: { input: { allowedAddresses: list } },
    })
  }
  for (const list of [[], manyAddresses(101), 'any', {}])
    expect(refusal({ allowed_addresses: list })).toEqual([`allowed_addresses ${addressesRule}`])
  expect(issuesOf(parseApiKeyPatch({}))).toEqual([`allowed_addresses is required and ${addressesRule}`])
  expect(issuesOf(parseApiKeyPatch({ allowed_addresses: null, name: 'x' }))).toEqual([
    'name is not allowed here; allowed are allowed_addresses',
  ])
})

test('a rotation has an overlap of 0 to 30 days, a day unless it says another one', () => {
  const note = { reason: 'It leaked.', evidence: null }
  for (const empty of [undefined, {}, { overlap_seconds: null, reason: null }])
    expect(parseRotateKey(empty)).toEqual({ ok: true, value: { overlapSeconds: 86_400, note: undefined } })
  for (const seconds of [0, 2_592_000])
    expect(parseRotateKey({ overlap_seconds: seconds, reason: 'It leaked.' })).toEqual({
      ok: true,
      value: { overlapSeconds: seconds, note },
    })
  for (const seconds of [-1, 2_592_001, 1.5, '24'])
    expect(issuesOf(parseRotateKey({ overlap_seconds: seconds }))).toEqual([
      'overlap_seconds must be a whole number from 0 to 2592000',
    ])
  expect(issuesOf(parseRotateKey(null))).toEqual(['body must be a JSON object'])
  expect(issuesOf(parseRotateKey({ name: 'x' }))).toEqual([
    'name is not allowed here; allowed are overlap_seconds, reason, evidence',
  ])
})
