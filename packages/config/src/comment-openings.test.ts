import { expect, test } from 'vitest'
import { commentOpeningBreaches } from './comment-openings.ts'

const path = 'packages/core/src/quote/quote.ts'

/** Joins a planted comment at run time, so that the rule does not find it in this file. */
const joined = (...parts: readonly string[]): string => parts.join(' ')

test.each([
  [joined('/**', 'What a quote costs. */'), 1],
  [joined('  /**', 'Of the tenant. */'), 1],
  [joined('// ', 'Those of the day.'), 1],
  [joined('--', 'As those of the day.'), 1],
  [`/**\n${joined(' *', 'What a quote costs')}\n * and how long it is valid.\n */`, 2],
])('a comment that opens without its noun is refused: %s', (text, line) => {
  expect(commentOpeningBreaches({ path, text })).toEqual([
    expect.stringMatching(new RegExp(`^${path}:${line}: a comment that opens with "(What|Of|Those|As those)"`)),
  ])
})

test.each([
  '/** The price of a quote. */',
  '/** Whatever it costs. */',
  '/**\n * The price\n * of the day is\n * What the document says.\n */',
  `-- The price\n${joined('--', 'Of the day.')}`,
  "const text = 'What a quote costs'",
])('other comments are not: %s', (text) => {
  expect(commentOpeningBreaches({ path, text })).toEqual([])
})
