import { expect, test } from 'vitest'
import { repository } from '../command.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explain, readExplained } from './explained-mutants.ts'
import { inOneLine, type Mutant, type MutantStatus, textOf } from './mutant.ts'
import { latest, patternsFor, type Recorded } from './record.ts'
import { percent, rowOf, scoreOf, sumOf } from './score.ts'
import { foldersOf } from './selection.ts'

const file = 'packages/core/src/sum.ts'
const source = 'const sum = (a, b) =>\n  a + b\nconst first = (a) => a[0]\n'

/** The change of a part of one line. */
function mutant(line: number, part: string, replacement: string, status: MutantStatus): Mutant {
  const column = source.split('\n')[line]!.indexOf(part)
  return {
    file,
    start: { line, column },
    end: { line, column: column + part.length },
    mutator: 'ArithmeticOperator',
    replacement,
    status,
  }
}
const minus = mutant(1, 'a + b', 'a - b', 'survived')
const recorded = (each: Mutant, tests = 'now'): Recorded => ({
  ...each,
  source: 's',
  tests,
  seconds: 30,
})

test('a mutant is shown as its lines with the change, in one line', () => {
  expect(textOf(minus, source)).toEqual({ code: 'a + b', mutant: 'a - b' })
  const two = { ...minus, start: { line: 0, column: 12 }, replacement: '() => undefined' }
  expect(textOf(two, source)).toEqual({
    code: 'const sum = (a, b) => a + b',
    mutant: 'const sum = () => undefined',
  })
})

test('a survivor is explained by an entry with its file, code and text', () => {
  const entry = { file, code: 'a + b', mutant: 'a - b', reason: 'b is always zero' }
  const sourceOf = (): string => source
  expect(explain([entry], [minus], sourceOf)).toEqual({
    unexplained: [],
    explained: [minus],
    stale: [],
  })
  const others = [
    { ...entry, file: 'packages/core/src/other.ts' },
    { ...entry, code: 'b + a' },
    { ...entry, mutant: 'a * b' },
  ]
  expect(explain(others, [minus], sourceOf)).toMatchObject({
    unexplained: [minus],
    explained: [],
    // Nothing is known of the file that was not mutated.
    stale: others.slice(1),
  })
})

test('an entry is stale when a test kills its mutant', () => {
  const entry = { file, code: 'a + b', mutant: 'a - b', reason: 'b is always zero' }
  const killed: Mutant = { ...minus, status: 'killed' }
  expect(explain([entry], [killed], () => source).stale).toEqual([entry])
})

test('every explained mutant is of code that exists, and has a reason', () => {
  const wrong = readExplained(repository).filter(
    ({ file: path, code, mutant: text, reason }) =>
      !inOneLine(readFileSync(join(repository, path), 'utf8')).includes(code) ||
      text === code ||
      reason.length < 15,
  )
  expect(wrong).toEqual([])
})

test('money is mutated first, and neither tests nor fixtures are mutated', () => {
  const src = 'packages/core/src'
  const paths = ['tenant/a.ts', 'money.ts', 'quote/q.ts', 'payout/b.ts', 'payout/a.ts']
  const tests = ['payout/a.test.ts', 'payout/a.fixture.ts']
  const all = [...paths, ...tests].map((path) => `${src}/${path}`)
  expect(foldersOf('core', all).map((folder) => folder.files)).toEqual([
    [`${src}/payout/a.ts`, `${src}/payout/b.ts`],
    [`${src}/quote/q.ts`],
    [`${src}/money.ts`],
    [`${src}/tenant/a.ts`],
  ])
  expect(foldersOf('wire', all)).toEqual([])
  const files = (narrowed: Parameters<typeof foldersOf>[2]) =>
    foldersOf('core', all, narrowed).flatMap((folder) => folder.files)
  expect(files({ glob: 'payout/*' })).toEqual([`${src}/payout/a.ts`, `${src}/payout/b.ts`])
  expect(files({ glob: `${src}/*.ts` })).toEqual([`${src}/money.ts`])
  expect(files({ changed: [`${src}/quote/q.ts`, `${src}/payout/a.test.ts`] })).toEqual([
    `${src}/quote/q.ts`,
  ])
})

test('texts of documents are not mutated', () => {
  const src = 'packages/wire/src'
  const paths = ['openapi/document.ts', 'payout/payout-paths.ts', 'testing/any.ts', 'testing.ts']
  expect(
    foldersOf(
      'wire',
      [...paths, 'payout/payout.ts'].map((path) => `${src}/${path}`),
    ),
  ).toEqual([{ path: `${src}/payout`, files: [`${src}/payout/payout.ts`] }])
})

test('a later run tests new files whole, and places without a settled result', () => {
  const killed = mutant(2, 'a[0]', '[]', 'killed')
  const pending = mutant(2, '0', '1', 'pending')
  const results = [minus, killed, pending].map((each) => recorded(each))
  const settled = ({ status }: Recorded): boolean => status === 'killed'
  expect(patternsFor([file, 'new.ts'], results, settled)).toEqual([
    `${file}:2:2-2:7`,
    `${file}:3:23-3:24`,
    'new.ts',
  ])
  const retested = recorded({ ...minus, status: 'killed' })
  expect(latest([...results, retested])).toEqual([retested, ...results.slice(1)])
})

test('the score counts neither explained mutants nor those that do not load', () => {
  const killed = mutant(2, 'a[0]', '[]', 'killed')
  const uncovered = mutant(2, '0', '1', 'uncovered')
  const refused = mutant(0, 'a', '', 'refused')
  const results = [killed, minus, uncovered, refused].map((each) => recorded(each))
  const score = scoreOf('sum', results, { unexplained: [uncovered], explained: [minus], stale: [] })
  expect(rowOf(score)).toBe('| `sum` | 3 | 1 | 1 | 1 | 50.0 % | 2 |')
  expect(rowOf(sumOf('all', [score, score]))).toBe('| `all` | 6 | 2 | 2 | 2 | 50.0 % | 4 |')
  expect(percent({ ...score, mutants: 1, killed: 0 })).toBe('–')
})
