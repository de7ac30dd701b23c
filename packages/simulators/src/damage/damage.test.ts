import { expect, test } from 'vitest'
import { type Damage, damagedBytes, damageKinds } from './damage.ts'

test.each<[Damage['kind'], string]>([
  ['flip', 'abcdgfgh'],
  ['set', 'abcd\u0001fgh'],
  ['insert', 'abcd\u0001efgh'],
  ['delete', 'abcdgh'],
  ['repeat', 'abcdefefgh'],
  ['truncate', 'abcd'],
])('%s changes the bytes at its position', (kind, expected) => {
  const damages = [{ kind, at: 4 + 8, value: 1 }]
  expect(damagedBytes(Buffer.from('abcdefgh'), damages).toString()).toBe(expected)
})

test('bytes that are cut to nothing stay so', () => {
  const damages = damageKinds.map((kind) => ({ kind, at: 0, value: 1 }))
  const cut = { kind: 'truncate', at: 0, value: 0 } as const
  expect(damagedBytes(Buffer.from('abc'), [cut, ...damages])).toHaveLength(0)
})
