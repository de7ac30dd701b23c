import { sha256 } from '@quipu/core/adapter'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, exactFingerprint, fingerprint } from './fingerprint.ts'

const body = { b: 'x', a: { d: ['1', null], c: 'ñ\n' } }

test('is a version and the SHA-256 of the JSON with its members in order', () => {
  expect(canonicalJson(body)).toBe('{"a":{"c":"ñ\\n","d":["1",null]},"b":"x"}')
  for (const digest of [fingerprint, exactFingerprint]) expect(digest(body)).toBe(`v1:${sha256(canonicalJson(body))}`)
})

test('a null member is the same as none, at every level, and one of a list is not', () => {
  const sparse = { ...body, description: null, a: { ...body.a, e: null } }
  expect(fingerprint(sparse)).toBe(fingerprint(body))
  expect(exactFingerprint(sparse)).not.toBe(exactFingerprint(body))
  expect(fingerprint({ ...body, a: { ...body.a, d: ['1'] } })).not.toBe(fingerprint(body))
  for (const value of ['', '0', false, 0, [], {}])
    expect(fingerprint({ ...body, description: value })).not.toBe(fingerprint(body))
})

test('sorts members by name, also names that look like numbers', () => {
  const mixed: unknown = JSON.parse('{"b":1,"10":2,"9":3,"B":4,"__proto__":5,"é":6,"ab":7}')
  expect(canonicalJson(mixed)).toBe('{"10":2,"9":3,"B":4,"__proto__":5,"ab":7,"b":1,"é":6}')
})

test('the fingerprint of a known body is what sha256sum prints: stored fingerprints stay valid', () => {
  expect(fingerprint({ transaction_id: 'order-1', type: 'qr' })).toBe(
    'v1:55320211897d7b060c59ece4cba243969f3767db14b5207f8e56d7ad60fcf7c1',
  )
})

/** The same value with its members in the opposite order, at every level. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)])
  return Object.fromEntries(members.toReversed())
}

test('the order of members and white space do not matter', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2, '\t'), (value, space) => {
      const spaced: unknown = JSON.parse(JSON.stringify(reversed(value), null, space))
      expect(fingerprint(spaced)).toBe(fingerprint(JSON.parse(JSON.stringify(value))))
    }),
  )
})

test('canonical JSON parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain)
    }),
  )
})

test('a change of any value or member changes the fingerprint', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [a, b] = [one, other].map((value): unknown => JSON.parse(JSON.stringify(value)))
      expect(exactFingerprint(a) === exactFingerprint(b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)))
    }),
  )
  const one = { a: '1', b: '2' }
  for (const other of [{ a: '2', b: '1' }, { a: '1' }, { ...one, c: '' }, { a: 1, b: '2' }, { a: '1', B: '2' }])
    expect(fingerprint(other)).not.toBe(fingerprint(one))
})

/** The value as lists of names and members, which compare by their text. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? ['list', ...value.map(sorted)]
    : typeof value === 'object' && value !== null
      ? [
          'members',
          ...Object.entries(value)
            .map(([n, m]) => [n, sorted(m)])
            .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        ]
      : value

test('the order of a list matters', () => {
  expect(fingerprint(['a', 'b'])).not.toBe(fingerprint(['b', 'a']))
})
