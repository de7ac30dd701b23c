import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text)

test('a short response is shown whole, in whatever chunks it arrives', () => {
  const bytes = bytesOf('año — ✓ 𝄞')
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
      const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
      expect(excerptOf(chunks)).toBe('año — ✓ 𝄞')
    }),
  )
})

test('an excerpt is well-formed, without NUL, and at most 1 KiB in UTF-8', () => {
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 2_048, size: 'max' }),
    fc.string({ unit: 'binary', size: 'large' }).map(bytesOf),
  )
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 3 }), (chunks) => {
      const text = excerptOf(chunks) ?? ''
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024)
      expect(text).not.toContain('\0')
      expect(text.isWellFormed()).toBe(true)
    }),
  )
})

test('a long text is cut between characters', () => {
  expect(excerptOf([bytesOf(`a${'é'.repeat(1_000)}`)])).toBe(`a${'é'.repeat(511)}`)
  expect(excerptOf([bytesOf('𝄞'.repeat(500))])).toBe('𝄞'.repeat(256))
  expect(excerptOf([bytesOf('é'.repeat(3)).subarray(0, 5)])).toBe('éé')
})

test('invalid UTF-8 is replaced', () => {
  expect(excerptOf([Buffer.from([0x6f, 0xff, 0x6b, 0x00])])).toBe('o\uFFFDk\uFFFD')
  expect(excerptOf([Buffer.alloc(2_048, 0xff)])).toBe('\uFFFD'.repeat(341))
})

test('an empty response has no excerpt', () => {
  expect(excerptOf([])).toBeNull()
  expect(excerptOf([Buffer.alloc(0)])).toBeNull()
})
