import type { OperatorToken } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { operatorToken, operatorTokenToJson, parseOperatorTokenRequest } from './operator-token.ts'

const body = {
  person: 'ana',
  label: 'laptop',
  role: 'viewer',
  hash: '0123456789abcdef'.repeat(4),
  expires_at: '2027-01-01T00:00:00.0009-04:00',
  reason: 'She joins the team.',
}

const refusal = (changes: object) => issuesOf(parseOperatorTokenRequest({ ...body, ...changes }))

describe('the request of a token', () => {
  test('has a person, a label, a role, a hash, an expiry and a note', () => {
    const { person, label, role, hash, reason } = body
    const request = { person, label, role, hash, expiresAt: new Date('2027-01-01T04:00:00.000Z') }
    expect(parseOperatorTokenRequest(body)).toEqual({ ok: true, value: { request, note: { reason, evidence: null } } })
    const evidence = { note: 'Her contract.', digest: 'ab'.repeat(32) }
    expect(parseOperatorTokenRequest({ ...body, evidence })).toEqual({
      ok: true,
      value: { request, note: { reason, evidence } },
    })
    for (const member of Object.keys(body)) expect(refusal({ [member]: undefined })).toHaveLength(1)
  })
  test('takes the SHA-256 of a token in lower case, and nothing around it', () => {
    const { hash } = body
    for (const wrong of [hash.slice(1), `${hash}0`, `0${hash}`, hash.toUpperCase(), ` ${hash}`])
      expect(refusal({ hash: wrong })).toEqual(['hash must be a SHA-256: 64 lowercase hexadecimal digits'])
  })
})

test('the record of a token says who made and who revoked it', () => {
  const token: OperatorToken = {
    id: 'opt_01KAGZ8M88000000000000000A',
    person: 'ana',
    label: 'laptop',
    role: 'admin',
    fingerprint: '0123456789abcdef',
    createdAt: new Date('2026-11-20T01:00:00Z'),
    createdBy: 'luz',
    activatedAt: new Date('2026-11-20T02:00:00Z'),
    expiresAt: new Date('2027-01-01T00:00:00Z'),
    revocation: { at: new Date('2026-11-20T03:00:00Z'), by: 'eva' },
  }
  const json = operatorTokenToJson(token)
  expect(json).toEqual({
    id: token.id,
    person: 'ana',
    label: 'laptop',
    role: 'admin',
    fingerprint: '0123456789abcdef',
    created_at: '2026-11-20T01:00:00.000Z',
    created_by: 'luz',
    activated_at: '2026-11-20T02:00:00.000Z',
    expires_at: '2027-01-01T00:00:00.000Z',
    revoked_at: '2026-11-20T03:00:00.000Z',
    revoked_by: 'eva',
  })
  const proposed = operatorTokenToJson({ ...token, activatedAt: null, revocation: null })
  expect(proposed).toEqual({ ...json, activated_at: null, revoked_at: null, revoked_by: null })
  for (const each of [json, proposed]) expect(operatorToken.parse(each)).toEqual(each)
})
