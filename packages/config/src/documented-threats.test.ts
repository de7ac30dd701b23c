import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './command.ts'

const textOf = (file: string): string => readFileSync(join(repository, file), 'utf8')

/** The tests that show each row of a table, as "file: title", by the row's first cells. */
const shown = JSON.parse(textOf('docs/threat-tests.json')) as Readonly<Record<string, readonly string[]>>

const rowsOf = (document: string): readonly (readonly string[])[] =>
  document
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Attacker|Stolen |Attempt )/.test(line))
    .map((line) => line.slice(2).split(/ \| | \|/))

const filesOf = (cells: readonly string[]): readonly string[] =>
  cells
    .filter((cell) => /^`[^`]+\.(?:test|contract|fixture)\.ts`/.test(cell))
    .flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, file = '']) => file))

const model = textOf('docs/threat-model.md')
const [, security = ''] = /## Stolen secrets([^]*?)### What each function allows/.exec(textOf('docs/security.md')) ?? []
const rows = [...rowsOf(model), ...rowsOf(security)]

/** Whether a source has a test, or a group of tests, with this title. */
const hasTest = (source: string, title: string): boolean =>
  [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) =>
    source
      .split(quoted)
      .slice(0, -1)
      .some((before) => before.trimEnd().endsWith('(')),
  )

const fileOf = (shownBy: string): string => shownBy.slice(0, shownBy.indexOf(': '))

const missing = (tests: readonly string[]): readonly string[] =>
  tests.filter((shownBy) => {
    const file = fileOf(shownBy)
    return !existsSync(join(repository, file)) || !hasTest(textOf(file), shownBy.slice(file.length + 2))
  })

test('every test that shows a row exists', () => {
  expect(Object.keys(shown).length).toBeGreaterThan(80)
  expect(Object.values(shown).flatMap(missing)).toEqual([])
})

test('a test that was renamed or moved is found', () => {
  const file = 'packages/config/src/documented-threats.test.ts'
  const title = 'every test that shows a row exists'
  expect(missing([`${file}: ${title}`])).toEqual([])
  const gone = [`${file}: ${title} no more`, `packages/config/src/no-such-file.test.ts: ${title}`]
  expect(missing(gone)).toEqual(gone)
})

test('each row names the files of its tests, refers to rows that do, or says that none does', () => {
  const found = rows.map((cells) => {
    const [attacker = '', attempt = ''] = cells
    const files = filesOf(cells)
    const tests = shown[attacker] ?? shown[`${attacker}: ${attempt}`]
    if (tests !== undefined) return { attacker, isRight: files.join() === [...new Set(tests.map(fileOf))].join() }
    return { attacker, isRight: files.length === 0 && /not shown|its rows|\[below\]|the same/.test(cells.join()) }
  })
  expect(found.length).toBeGreaterThan(90)
  expect(found.filter(({ isRight }) => !isRight)).toEqual([])
})

test('each row of the titles is a row of a table', () => {
  const named = new Set(rows.flatMap(([attacker = '', attempt = '']) => [attacker, `${attacker}: ${attempt}`]))
  expect(Object.keys(shown).filter((row) => !named.has(row))).toEqual([])
})
