import { expect, test } from 'vitest'
import { signedIn, signedOut } from './console-session.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const token = { id: 'opt_1', person: 'ana', fingerprint: '0123abcd' }

test('the audit entry of a sign-in has the fingerprint of the token and the end of the session', () => {
  expect(signedIn(token, at, new Date('2026-11-21T20:00:00.000Z'))).toEqual({
    actor: 'ana',
    action: 'console.sign_in',
    tenantId: null,
    subject: 'opt_1',
    at,
    before: null,
    after: { fingerprint: '0123abcd', expires_at: '2026-11-21T20:00:00.000Z' },
  })
})

test('the audit entry of a sign-out has its instant', () => {
  expect(signedOut(token, at)).toEqual({
    actor: 'ana',
    action: 'console.sign_out',
    tenantId: null,
    subject: 'opt_1',
    at,
    before: { ended_at: null },
    after: { ended_at: '2026-11-21T12:00:00.000Z' },
  })
})
