import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('browser/', import.meta.url)
const names = globSync('**/*.{ts,tsx}', { cwd: root })
const read = (name: string): string => readFileSync(new URL(name, root), 'utf8')

/** Each constant of `texts({…})` with the names of its members, which the formatter indents by two. */
const constants = names.flatMap((name) =>
  [...read(name).matchAll(/^export const (\w+) = texts(?:<.*>)?\(\{\n([^]*?)^\}\)/gm)].map(
    ([, constant = '', members = '']) => ({
      constant,
      members: [...members.matchAll(/^ {2}'?([\w:]+)'?: /gm)].map(([, member]) => member ?? ''),
    }),
  ),
)

const code = names
  .map((name) => read(name).replaceAll(/^import [^]*? from '.*'$/gm, ''))
  .join('\n')
  .replaceAll(/^export const (\w+) = texts(?:<.*>)?\(/gm, '')

test.each(constants)('every text of $constant is used', ({ constant, members }) => {
  expect(members.length).toBeGreaterThan(0)
  // Code that takes the whole constant selects a text by a value.
  const isSelected = new RegExp(`\\b${constant}\\b(?!\\s*\\.)`).test(code)
  const unused = members.filter((member) => !isSelected && !new RegExp(`\\b${constant}\\s*\\.${member}\\b`).test(code))
  expect(unused).toEqual([])
})

test('every file of texts is checked', () => {
  const files = names.filter((name) => name.endsWith('-texts.ts'))
  expect(constants.length).toBeGreaterThanOrEqual(files.length)
})

test('no component contains a text of its own', () => {
  const found = names
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) =>
      [...read(name).matchAll(/(?<!=)>\s*([A-Z][a-z]{2,}[^<>{}=;]*)</g)].map(([, text]) => `${name}: ${text?.trim()}`),
    )
  // The product's name is the same in every language.
  expect(found.filter((text) => !text.endsWith(': Quipu'))).toEqual([])
})
