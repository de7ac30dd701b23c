import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './command.ts'

const textOf = (file: string): string => readFileSync(join(repository, file), 'utf8')

const [model, security] = [textOf('docs/threat-model.md'), textOf('docs/security.md')]

type NamedTest = { readonly file: string; readonly title: string }

/** Every `` `file`: title `` of a table's cell; a cell has several between `<br>`. */
const testsOf = (document: string): readonly NamedTest[] =>
  document
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((row) => row.split(/ \| | \||<br>/))
    .flatMap((part) => {
      const [, file, title] = /^`([^`]+\.ts)`: (.+)$/.exec(part) ?? []
      return file === undefined || title === undefined ? [] : [{ file, title }]
    })

/** Whether a source has a test, or a group of tests, with this title. */
const hasTest = (source: string, title: string): boolean =>
  [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) =>
    source
      .split(quoted)
      .slice(0, -1)
      .some((before) => before.trimEnd().endsWith('(')),
  )

const missing = (document: string): readonly NamedTest[] =>
  testsOf(document).filter(({ file, title }) => !existsSync(join(repository, file)) || !hasTest(textOf(file), title))

/** The first cells of the only table below a heading. */
function rowsOf(document: string, heading: string): readonly string[] {
  const [, section = ''] = document.split(`# ${heading}\n`)
  const [own = ''] = section.split(/\n#+ /)
  const rows = own.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) => row.slice(2).split(' | ')[0] ?? '')
}

test('every test that the threat model names exists', () => {
  expect(testsOf(model).length).toBeGreaterThan(100)
  expect(missing(model)).toEqual([])
})

test('a test that was renamed or moved is found', () => {
  const file = 'packages/config/src/documented-threats.test.ts'
  const title = 'every test that the threat model names exists'
  expect(missing(`| a thief | \`${file}\`: ${title} | |`)).toEqual([])
  const renamed = [
    { file, title: `${title} no more` },
    { file: 'packages/config/src/no-such-file.test.ts', title },
  ]
  const cell = renamed.map((each) => `\`${each.file}\`: ${each.title}`).join('<br>')
  expect(missing(`| a thief | ${cell} |\n`)).toEqual(renamed)
})

test.each(['Stolen secrets', "As the processes' role"])(
  'the threat model has the rows of security.md: %s',
  (heading) => {
    expect(rowsOf(security, heading).length).toBeGreaterThan(8)
    expect(rowsOf(model, heading)).toEqual(rowsOf(security, heading))
  },
)

test('every row of the threat model names a test, refers to rows that do, or says that none does', () => {
  const rows = model
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Attacker|Stolen |Attempt )/.test(line))
  expect(
    rows.filter((row) => testsOf(row).length === 0 && !/not shown|the rows (above|below)|the same/.test(row)),
  ).toEqual([])
})
