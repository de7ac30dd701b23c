import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Document, readDocument } from './documents.fixture.ts'

/** English documents, each with its Spanish translation. */
const pairs = [
  ['README.md', 'docs/es/README.md'],
  ['docs/tutorial.md', 'docs/es/tutorial.md'],
  ...[
    'five-minutes',
    'idempotency-and-retries',
    'keys',
    'other-languages',
    'reconciliation',
    'versions',
    'webhooks',
  ].map((name) => [`docs/guides/${name}.md`, `docs/es/${name}.md`] as const),
] as const

const withoutBlocks = ({ text }: Document): string => text.replace(/^```[^]*?^```$/gm, '')
const levels = (document: Document): readonly string[] =>
  Array.from(withoutBlocks(document).matchAll(/^(#+) /gm), ([, level = '']) => level)

/** Inline code, without which a sentence cannot be followed. Explanations in `<…>` are translated. */
const codes = (document: Document): readonly string[] =>
  Array.from(withoutBlocks(document).matchAll(/`([^`\n]+)`/g), ([, code = '']) =>
    code.replaceAll(/<[^>]*>/g, '<>'),
  ).toSorted()

/** Digits of the prose. Spanish separates thousands by a point, and decimals by a comma. */
const numbers = (document: Document): readonly string[] =>
  Array.from(
    withoutBlocks(document)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\d[\d.,]*(?<=\d)/g),
    ([number]) => number.replaceAll(/[.,]/g, ''),
  ).toSorted()

/** Files that the page at /docs shows in place of a comment. */
const shownFiles = ({ text }: Document): readonly string[] => text.match(/^<!-- shows .+ -->$/gm) ?? []

test('there are blocks to compare', () => {
  expect(pairs.flatMap(([file]) => readDocument(file).blocks).length).toBeGreaterThan(50)
})

describe.each(pairs)('%s and %s', (file, translated) => {
  const [english, spanish] = [readDocument(file), readDocument(translated)]

  test('have the same blocks, byte by byte', () => {
    const blocks = ({ blocks: all }: Document) => all.map(({ language, text, notRun }) => ({ language, text, notRun }))
    expect(blocks(spanish)).toEqual(blocks(english))
    expect(shownFiles(spanish)).toEqual(shownFiles(english))
  })

  test('have the same levels of headings, in the same order', () => {
    expect(levels(spanish)).toEqual(levels(english))
  })

  test('have the same inline code and the same numbers', () => {
    expect(codes(spanish)).toEqual(codes(english))
    expect(numbers(spanish)).toEqual(numbers(english))
  })

  test('link to each other', () => {
    const link = (from: string, to: string) => `(${path.posix.relative(path.posix.dirname(from), to)})`
    expect(english.text).toContain(`[Español]${link(file, translated)}`)
    expect(spanish.text).toContain(`[English]${link(translated, file)}`)
  })
})

test('the Spanish documents use the words of their glossary, not the English ones', () => {
  const { text } = readDocument('docs/es/glossary.md')
  const rows = Array.from(text.matchAll(/^\| ([a-z][^|]*) \| /gm), ([, english = '']) => english)
  const words = rows.flatMap((row) => row.replace(/ \(.*\)/, '').split(', '))
  expect(words).toContain('payout')
  const used = pairs.flatMap(([, file]) => {
    const prose = withoutBlocks(readDocument(file)).replaceAll(/`[^`\n]*`|\]\([^)]*\)/g, '')
    return words.filter((word) => new RegExp(`\\b${word}s?\\b`, 'i').test(prose))
  })
  expect(used).toEqual([])
})
