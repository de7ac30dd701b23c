import { expect, test } from 'vitest'
import { operatorTokenIssued, operatorTokenRevoked } from './audit-token.ts'
import { now as at, token } from './operator-token.fixture.ts'
import { originOf } from '../audit/operator.fixture.ts'

const author = { ...originOf('ana'), at }

test('the audit entry of an issued token has its person, label, role, fingerprint and expiry', () => {
  expect(operatorTokenIssued(token, author, null)).toEqual({
    ...originOf('ana'),
    action: 'operator_token.issue',
    tenantId: null,
    subject: 'opt_1',
    at,
    before: null,
    after: {
      person: 'carla',
      label: 'laptop',
      role: 'viewer',
      fingerprint: '0123456789abcdef',
      expires_at: '2026-12-21T12:00:00.000Z',
    },
  })
})

test('the audit entry of a token that two people issued has its proposal', () => {
  const { after } = operatorTokenIssued({ ...token, role: 'admin' }, author, 'prp_1')
  expect(after).toMatchObject({ person: 'carla', role: 'admin', proposal_id: 'prp_1' })
})

test('the audit entry of a revocation has its instant', () => {
  expect(operatorTokenRevoked(token, author)).toEqual({
    ...originOf('ana'),
    action: 'operator_token.revoke',
    tenantId: null,
    subject: 'opt_1',
    at,
    before: { revoked_at: null },
    after: { revoked_at: '2026-11-21T12:00:00.000Z' },
  })
})
