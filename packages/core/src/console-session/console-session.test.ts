import { expect, test } from 'vitest'
import { signedIn, signedOut } from './console-session.ts'
import { originOf } from '../audit/operator.fixture.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const origin = { ...originOf('ana'), session: '0123456789abcdef' }
const author = { ...origin, at }
const token = { id: 'opt_1', person: 'ana', fingerprint: '0123abcd' }

test('the audit entry of a sign-in has the fingerprint of the token and the end of the session', () => {
  expect(signedIn(token, author, new Date('2026-11-21T20:00:00.000Z'))).toEqual({
    ...origin,
    action: 'console.sign_in',
    tenantId: null,
    subject: 'opt_1',
    at,
    before: null,
    after: { fingerprint: '0123abcd', expires_at: '2026-11-21T20:00:00.000Z' },
  })
})

test('the audit entry of a sign-out has its instant', () => {
  expect(signedOut(token, author)).toEqual({
    ...origin,
    action: 'console.sign_out',
    tenantId: null,
    subject: 'opt_1',
    at,
    before: { ended_at: null },
    after: { ended_at: '2026-11-21T12:00:00.000Z' },
  })
})
