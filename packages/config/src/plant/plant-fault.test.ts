import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { withResults } from './fault-table.ts'
import { controlsOf, plantFault, type Result } from './plant-fault.ts'
import { faultFolder, type PlantedFault, readFaults } from './planted-fault.ts'
import { interpret, type RunTests, type TestRun } from './run-tests-in.ts'
import { copyWorkTree } from './working-copy.ts'

const patch = `Breaks: Adds one too many.
Kind: money
Tests: packages/sum/src/sum.test.ts
Named: adds

diff --git a/packages/sum/src/sum.ts b/packages/sum/src/sum.ts
--- a/packages/sum/src/sum.ts
+++ b/packages/sum/src/sum.ts
@@ -1 +1 @@
-export const sum = 2
+export const sum = 3
`

const folder = mkdtempSync(join(tmpdir(), 'quipu-plant-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

for (const [path, text] of Object.entries({
  'packages/sum/src/sum.ts': 'export const sum = 2\n',
  'packages/sum/node_modules/linked/package.json': '{}\n',
  'node_modules/installed/package.json': '{}\n',
  '.gitignore': 'node_modules\n',
  [`${faultFolder}/one-too-many.patch`]: patch,
})) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
execFileSync('git', ['init', '--quiet'], { cwd: folder })
const [fault] = readFaults(folder) as [PlantedFault]

const failedBy = (file: string): TestRun => ({
  type: 'failed',
  by: { file, test: 'adds', runs: undefined },
  seconds: 1,
})
const passed: TestRun = { type: 'passed', tests: 1, seconds: 1 }

/** Plants the fault, with tests that read the planted source. */
async function planted(runTests: (isPlanted: boolean, selection: Selection) => TestRun) {
  using copy = copyWorkTree(folder)
  const read = (at: string) => readFileSync(join(at, 'packages/sum/src/sum.ts'), 'utf8')
  const run: RunTests = async (at, selection) => {
    await setImmediate()
    return runTests(read(at) === 'export const sum = 3\n', selection)
  }
  const result = await plantFault({ copy, runTests: run, isWide: true }, fault)
  expect(read(copy.folder)).toBe('export const sum = 2\n')
  return result
}
type Selection = Parameters<RunTests>[1]

test('the copy has the files and dependencies of the work tree, and is removed afterwards', () => {
  let at: string
  {
    using copy = copyWorkTree(folder)
    at = copy.folder
    expect(existsSync(join(at, 'packages/sum/node_modules/linked/package.json'))).toBe(true)
    expect(existsSync(join(at, 'node_modules/installed/package.json'))).toBe(true)
  }
  expect(existsSync(at)).toBe(false)
  expect(existsSync(join(folder, 'node_modules/installed/package.json'))).toBe(true)
})

test('a fault is found by an expected test', async () => {
  const selections: Selection[] = []
  const result = await planted((isPlanted, selection) => {
    selections.push(selection)
    return isPlanted ? failedBy('sum.test.ts') : passed
  })
  expect(result).toMatchObject({ type: 'found', by: { file: 'sum.test.ts' }, widely: false })
  expect(selections).toEqual([{ files: ['packages/sum/src/sum.test.ts'], named: 'adds' }])
})

test('a fault that the expected tests miss may be found by a test nearby', async () => {
  const result = await planted((isPlanted, { files }) =>
    isPlanted && files.includes('packages/sum/src/') ? failedBy('other.test.ts') : passed,
  )
  expect(result).toMatchObject({ type: 'found', by: { file: 'other.test.ts' }, widely: true })
})

test('a test that fails without the fault as well does not find it', async () => {
  const result = await planted((_, { files, except = [] }) =>
    files.includes('broken.test.ts') || (files.length > 1 && !except.includes('broken.test.ts'))
      ? failedBy('broken.test.ts')
      : passed,
  )
  expect(result).toEqual({ type: 'not found', seconds: 3 })
})

test('a file that does not load finds nothing', () => {
  const report = (assertionResults: readonly { fullName: string; status: string }[]) => ({
    testResults: [{ name: '/copy/a.test.ts', status: 'failed', message: 'no', assertionResults }],
  })
  expect(interpret(report([]), '/copy', 1)).toMatchObject({ type: 'broken' })
  const failures = ['Property failed after 7 tests']
  const failed = { fullName: 'adds', status: 'failed', failureMessages: failures }
  expect(interpret(report([failed]), '/copy', 1)).toEqual({
    type: 'failed',
    by: { file: 'a.test.ts', test: 'adds', runs: 7 },
    seconds: 1,
  })
})

test('the control runs named tests apart from whole files', () => {
  const whole = { ...fault, tests: ['a.test.ts'], named: undefined }
  expect(controlsOf([fault, fault, whole])).toEqual([
    { files: ['a.test.ts'] },
    { files: ['packages/sum/src/sum.test.ts'], named: '(?:adds)' },
  ])
})

test('a result replaces its row of the document, and the other rows stay', () => {
  const other = { ...fault, name: 'another' }
  const empty =
    '0 of 0 are found.\n\n| Fault | What it breaks | Where | Kind | Found by | Seconds |\n|-|-|-|-|-|-|\n\nAfter\n'
  const found: Result = {
    type: 'found',
    by: { file: 'a.test.ts', test: 'adds', runs: 7 },
    seconds: 1.4,
    widely: false,
  }
  const once = withResults(empty, [other, fault], new Map([['another', found]]))
  const twice = withResults(once, [other, fault], new Map([[fault.name, found]]))
  const row = (name: string) =>
    `| \`${name}\` | Adds one too many. | \`packages/sum/src/sum.ts\` | money | ` +
    '`a.test.ts`: adds (random case 7) | 1 |'
  expect(twice).toBe(
    empty
      .replace('0 of 0 are found.', '2 of 2 are found; the slowest, `another`, within 1 s.')
      .replace('\n\nAfter', `\n${row('another')}\n${row('one-too-many')}\n\nAfter`),
  )
})
