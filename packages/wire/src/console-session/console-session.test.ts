import { type ConsoleSession, type OperatorRole, operatorRoles } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { consoleSession, consoleSessionToJson, parseSignIn } from './console-session.ts'

const sessionOf = (role: OperatorRole): ConsoleSession => ({
  tokenHash: 'f'.repeat(64),
  origin: 'oidc',
  hasSecondFactor: true,
  seenAt: new Date(0),
  expiresAt: new Date('2026-11-20T12:00:00.000Z'),
  token: {
    id: 'opt_01KAGZ8M88000000000000000A',
    person: 'ana',
    label: 'laptop',
    role,
    fingerprint: '0a1b2c3d4e5f6071',
    createdBy: 'bea',
    revocation: null,
    createdAt: new Date(0),
    activatedAt: new Date(0),
    expiresAt: new Date(1),
  },
})

test('a session names its person, the rights of its role, and what the process knows', () => {
  const about = { environment: 'sandbox', csrfToken: 'c' }
  const json = consoleSessionToJson(sessionOf('admin'), about)
  expect(consoleSession.parse(json)).toEqual(json)
  expect(json).toEqual({
    person: 'ana',
    role: 'admin',
    rights: [...operatorRoles],
    environment: 'sandbox',
    expires_at: '2026-11-20T12:00:00.000Z',
    origin: 'oidc',
    has_second_factor: true,
    csrf_token: 'c',
  })
  expect(consoleSessionToJson(sessionOf('viewer'), about).rights).toEqual(['viewer'])
})

test('signing in takes a token of 1 to 512 visible characters', () => {
  for (const token of ['!', '~', 'x'.repeat(512)])
    expect(parseSignIn({ token })).toEqual({ ok: true, value: { token } })
  for (const token of ['', 'x'.repeat(513), 'a b', 'a\u0000', 'a\n', 'ä', '\u007f', 'x y', ' x', 'x '])
    expect(parseSignIn({ token })).toMatchObject({
      ok: false,
      issues: [{ field: 'token', message: expect.stringContaining('1 to 512 visible') }],
    })
  expect(parseSignIn({ token: 'x', code: '012345' })).toMatchObject({ ok: true, value: { code: '012345' } })
  for (const code of ['1', '1234567', 'abcdef', 123456]) expect(parseSignIn({ token: 'x', code }).ok).toBe(false)
  expect(parseSignIn({})).toMatchObject({ ok: false, issues: [{ field: 'token' }] })
})
