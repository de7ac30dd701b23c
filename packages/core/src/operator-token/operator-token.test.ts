import { describe, expect, test } from 'vitest'
import { hasRole, type OperatorRole, operatorRoles } from '../access/operator.ts'
import { isTokenActive, needsTwoToIssue, newOperatorToken, personPattern } from './operator-token.ts'
import { inDays, now, request, token } from './operator-token.fixture.ts'

test('a new token has the first 16 digits of the hash and no more of it', () => {
  const made = { id: 'opt_2', createdAt: now, createdBy: 'ana', activatedAt: null }
  expect(newOperatorToken(request, made)).toEqual({
    person: 'carla',
    label: 'laptop',
    role: 'viewer',
    expiresAt: inDays(30),
    ...made,
    fingerprint: '0123456789abcdef',
    revocation: null,
  })
})

test('a token authenticates once it is active, until it expires or is revoked', () => {
  expect(isTokenActive(token, now)).toBe(true)
  expect(isTokenActive(token, new Date(inDays(30).getTime() - 1))).toBe(true)
  expect(isTokenActive(token, inDays(30))).toBe(false)
  expect(isTokenActive({ ...token, activatedAt: null }, now)).toBe(false)
  expect(isTokenActive({ ...token, revocation: { at: now, by: 'ana' } }, now)).toBe(false)
})

describe('the name of a person', () => {
  test.each(['a', '0', 'carla', 'carla.m', 'c_m-2', 'carla@quipu.example', `a${'-'.repeat(63)}`])('can be %s', (name) =>
    expect(name).toMatch(personPattern),
  )

  test.each([
    '',
    'Carla',
    'cArla',
    'database owner',
    'carla ',
    ' carla',
    'carla\n',
    'cárla',
    'c/m',
    '.carla',
    '_carla',
    '@carla',
    '-carla',
    `a${'-'.repeat(64)}`,
  ])('cannot be %j', (name) => expect(name).not.toMatch(personPattern))
})

test.each<[OperatorRole, readonly OperatorRole[]]>([
  ['viewer', ['viewer']],
  ['operator', ['viewer', 'operator']],
  ['admin', ['viewer', 'operator', 'admin', 'auditor']],
  ['auditor', ['viewer', 'auditor']],
])('a token of the role %s has the rights of %j', (role, rights) => {
  expect(operatorRoles.filter((needed) => hasRole(role, needed))).toEqual(rights)
})

test('two people issue a token that can write; one issues a token that only reads', () => {
  expect(operatorRoles.filter(needsTwoToIssue)).toEqual(['operator', 'admin'])
})
