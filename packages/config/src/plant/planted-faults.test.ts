import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../command.ts'
import { describedColumns, measuredIn, summaryOf, tableFile } from './fault-table.ts'
import { faultKinds, parseFault, readFaults } from './planted-fault.ts'
import { gitApply } from './working-copy.ts'

const faults = readFaults(repository)
const document = readFileSync(join(repository, tableFile), 'utf8')

test.each(faults)('$name applies to the code, and its tests exist', ({ patch, tests }) => {
  gitApply(repository, ['--check', patch])
  const missing = tests.filter((path) => !existsSync(join(repository, path)))
  expect(missing).toEqual([])
})

test('a patch that does not fit the code is named, with the reason', () => {
  const [first] = faults
  const apply = () =>
    gitApply(join(repository, 'docs'), ['--check', join(repository, first!.patch)])
  expect(apply).toThrow(`${first?.patch} does not apply any more; adapt it to the code: error: `)
})

test('every kind of fault is planted', () => {
  const planted = new Set(faults.map(({ kind }) => kind))
  expect(faultKinds.filter((kind) => !planted.has(kind))).toEqual([])
})

test('the document has a row of every fault, and a test that found it', () => {
  const measured = measuredIn(document)
  expect(Array.from(measured.keys())).toEqual(faults.map(({ name }) => name))
  for (const fault of faults) expect(document).toContain(`\n${describedColumns(fault)}`)
  expect(document).toContain(`\n${summaryOf(measured)}\n`)
  expect(summaryOf(measured)).toContain(`${faults.length} of ${faults.length} are found;`)
  const files = globSync('{packages,hosts}/*/src/**/*.test.ts', { cwd: repository })
  for (const [name, { foundBy, seconds }] of measured) {
    const file = /^`([^`]+)`: ./.exec(foundBy)?.[1]
    expect(files, `${name}: ${foundBy}`).toContain(file)
    expect(seconds, name).toMatch(/^\d+$/)
  }
})

test.each([
  ['Kind: money\nTests: a.test.ts\n+++ b/x.ts\n', 'has no line `Breaks: …`'],
  ['Breaks: all\nKind: odd\nTests: a.test.ts\n+++ b/x.ts\n', '`odd` is none of'],
  ['Breaks: all\nKind: money\nTests: a.test.ts\n', 'changes no file'],
  ['Breaks: all\nKind: money\nTests: a.test.ts\n+++ b/x.test.ts\n', 'changes the test x.test.ts'],
])('a patch with an incomplete header is refused: %j', (text, reason) => {
  expect(() => parseFault('a.patch', text)).toThrow(reason)
})
