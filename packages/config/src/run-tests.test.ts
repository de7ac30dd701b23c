import { expect, onTestFinished, test, vi } from 'vitest'
import type { Outcome } from './command.ts'
import type { Files } from './clean-workspace.fixture.ts'
import { program } from './guards.ts'
import { plant } from './workspace.fixture.ts'

async function runTests(plants: Files, ...filters: readonly string[]): Promise<Outcome> {
  using planted = plant(plants)
  return await planted.run([...program('run-tests.ts'), ...filters])
}

const lastLine = ({ output }: Outcome): string | undefined => output.trimEnd().split('\n').at(-1)

const aTest = (title: string, body: string): string =>
  `import { expect, test } from 'vitest'\n\ntest('${title}', () => {\n  ${body}\n})\n`

test('a passing run ends with the number of tests', async () => {
  const outcome = await runTests({})
  expect(lastLine(outcome)).toBe('2 passed, 0 failed')
  expect(outcome.code).toBe(0)
})

test('a failing run counts failed tests, files that do not load, uncaught errors and tests without an assertion', async () => {
  const outcome = await runTests({
    'packages/wire/src/wrong.test.ts': aTest('is wrong', 'expect(1).toBe(2)'),
    'packages/wire/src/broken.test.ts': `import './gone.ts'\n`,
    'packages/wire/src/stray.test.ts': aTest('strays', `void Promise.reject(new Error('stray'))\n  expect(1).toBe(1)`),
    'packages/wire/src/nothing.test.ts': aTest('asserts nothing', 'JSON.stringify(expect)'),
  })
  expect(lastLine(outcome)).toBe('3 passed, 4 failed')
  expect(outcome.code).toBe(1)
})

test('a run without tests fails', async () => {
  const outcome = await runTests({}, 'packages/nothing')
  expect(outcome.output).toContain('No test ran: ')
  expect(lastLine(outcome)).toBe('0 passed, 0 failed')
  expect(outcome.code).toBe(1)
})

test('a run that skips every test fails', async () => {
  const outcome = await runTests({}, '-t', 'no test has this title')
  expect(outcome.output).toContain('No test ran: ')
  expect(outcome.code).toBe(1)
})

test('a run without long tests says how many it left out', async () => {
  const long = aTest('is long', 'expect(1).toBe(2)').replace(', () =>', `, { tags: 'long' }, () =>`)
  const outcome = await runTests({ 'packages/wire/src/long.test.ts': long }, '--tags-filter', '!long')
  expect(outcome.output).toContain('Not selected: 1. ')
  expect(lastLine(outcome)).toBe('2 passed, 0 failed')
})

test('an exclusive test fails the run', async () => {
  const alone = aTest('alone', 'expect(1).toBe(1)').replace('test(', ['test', 'only('].join('.'))
  const outcome = await runTests({ 'packages/wire/src/alone.test.ts': alone })
  expect(outcome.output).toContain('Unexpected .only modifier')
  expect(outcome.code).toBe(1)
})

test('a run that hangs says where, and fails', async () => {
  vi.stubEnv('TEST_RUN_MINUTES', '0.1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const hangs = aTest('hangs', 'expect(1).toBe(1)')
    .replace('() =>', 'async () =>')
    .replace(/(\n})/, '\n  await new Promise(() => {})$1')
  const outcome = await runTests({ 'packages/wire/src/hangs.test.ts': hangs })
  expect(outcome.output).toContain('Still running:\n  packages/wire/src/hangs.test.ts > hangs\n')
  expect(lastLine(outcome)).toBe('0 passed, 1 failed')
  expect(outcome.code).toBe(1)
})
