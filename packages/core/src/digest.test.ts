import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from './digest.ts'

test('the digest of a text is the digest of its UTF-8 bytes', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = new TextEncoder().encode(text)
      expect(sha256(text)).toBe(createHash('sha256').update(bytes).digest('hex'))
    }),
  )
})
