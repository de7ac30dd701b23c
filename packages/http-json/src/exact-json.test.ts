import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson, textAt } from './exact-json.ts'

test.each([['9.9500'], ['9.950000000000000000000001'], ['123456789012345678901234567890.123456789'], ['1e2'], ['-0']])(
  'the number %s keeps its text',
  (text) => {
    expect(parseExactJson(`{"bid":${text}}`)).toEqual({ bid: text })
  },
)

test('all digits of a number are kept', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{0,40}\.\d{1,40}$/), (text) => {
      expect(textAt(parseExactJson(`[{"a":${text}}]`), '0.a')).toBe(text)
    }),
  )
})

test('the last of duplicate members counts', () => {
  expect(parseExactJson('{"a":{"a":1.10},"a":2.20}')).toEqual({ a: '2.20' })
})

test.each([
  ['a.b', '{"a":{"b":"x"}}', 'x'],
  ['data.0.adv.price', '{"data":[{"adv":{"price":"9.95"}}]}', '9.95'],
  ['a.b', '{"a":"x"}', undefined],
  ['a', '{"a":{}}', undefined],
  ['a', '{"a":null}', undefined],
  ['a', '{"a":true}', undefined],
  ['a', '"a"', undefined],
  ['length', '[1]', undefined],
  ['0', '"a"', undefined],
  ['1', '[1]', undefined],
  ['toString', '{}', undefined],
  ['__proto__.constructor', '{}', undefined],
])('at %s of %s is %s', (path, text, expected) => {
  expect(textAt(parseExactJson(text), path)).toBe(expected)
})
