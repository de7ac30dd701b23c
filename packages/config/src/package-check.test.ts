import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cleanWorkspace } from './clean-workspace.fixture.ts'
import type { Outcome } from './command.ts'
import { plant } from './workspace.fixture.ts'

const manifest = (folder: string): string => cleanWorkspace[`packages/${folder}/package.json`] ?? ''

const planted = plant({
  // An entry without a compiled file.
  'packages/contracts/package.json': manifest('contracts').replaceAll('dist/index', 'dist/suites'),
  // Fixtures that files do not exclude.
  'packages/core/package.json': manifest('core').replace('"!dist/**/*.fixture.*",', ''),
  'packages/core/src/rows.fixture.ts': `export const rows: readonly string[] = []\n`,
  // Types of CommonJS for a module: publint accepts them, attw does not.
  'packages/wire/package.json': manifest('wire').replaceAll('./dist/index.d.ts', './dist/index.d.cts'),
  'packages/wire/dist/index.d.cts': `export declare const text: string\n`,
})
let outcome: Outcome

beforeAll(async () => {
  vi.stubEnv('CI', 'true')
  await planted.guard('types')
  outcome = await planted.guard('packages')
})
afterAll(() => {
  vi.unstubAllEnvs()
  planted[Symbol.dispose]()
})

test('a workspace with packages that cannot be imported fails', () => {
  expect(outcome.code).not.toBe(0)
})

test('publint catches an export that is not in the archive', () => {
  expect(outcome.output).toMatch(/exports\["\."\]\.default is \.\/dist\/suites\.js but the file does not exist/)
})

test('attw catches types of another module system', () => {
  expect(outcome.output).toMatch(/quipu-wire[^]*Masquerading/)
})

test('the output is plain text in continuous integration, too', () => {
  expect(outcome.output).not.toContain('\u001B')
})

test('an archive with test code is caught', () => {
  expect(outcome.output).toMatch(/quipu-core.* contains test code.*:\n.*dist\/rows\.fixture\./)
})
