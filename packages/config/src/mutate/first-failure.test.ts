import { expect, test, TestRunner } from 'vitest'
import FirstFailure from './first-failure.ts'

/** @returns a runner, and the files that it has imported; those named `broken` cannot be loaded */
function openRunner() {
  const imported: string[] = []
  const load = async (path: string): Promise<void> => {
    imported.push(path)
    if (path.startsWith('broken')) throw new Error('does not load')
  }
  const runner = new FirstFailure({ experimental: { viteModuleRunner: true } } as never)
  // Vitest sets these two.
  Object.assign(runner, {
    _otel: { $: (_name: string, _options: object, run: () => unknown) => run() },
    moduleRunner: { import: load },
  })
  return { runner, imported }
}

test('files are imported while tests pass', async () => {
  const { runner, imported } = openRunner()
  expect(runner).toBeInstanceOf(TestRunner)
  await runner.importFile('one', 'collect')
  runner.onAfterRunTask({ result: { state: 'pass' } } as never)
  await runner.importFile('two', 'collect')
  expect(imported).toEqual(['one', 'two'])
})

test('no file is imported once a test has failed', async () => {
  const { runner, imported } = openRunner()
  await runner.importFile('one', 'collect')
  runner.onAfterRunTask({ result: { state: 'fail' } } as never)
  await runner.importFile('two', 'collect')
  expect(imported).toEqual(['one'])
})

test('no file is imported once one could not be loaded', async () => {
  const { runner, imported } = openRunner()
  await expect(runner.importFile('broken', 'collect')).rejects.toThrow('does not load')
  await runner.importFile('two', 'collect')
  expect(imported).toEqual(['broken'])
})
