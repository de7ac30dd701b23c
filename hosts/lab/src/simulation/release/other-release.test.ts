import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { copyRelease } from '../../run/release-sources.ts'
import { temporaryFolder } from '../../run/temporary-folder.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')

/** The output of `simulate`, and its exit status. */
const simulate = (...args: readonly string[]): Promise<{ output: string; status: unknown }> =>
  new Promise((resolve) => {
    const main = path.join(import.meta.dirname, '../../main.ts')
    execFile(
      process.execPath,
      ['--conditions=source', main, 'simulate', ...args],
      { maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => resolve({ output: stdout + stderr, status: error?.code ?? 0 }),
    )
  })

test('two releases side by side violate nothing when they are the same', { tags: 'long' }, async () => {
  await using folder = await temporaryFolder('release-test')
  const { output, status } = await simulate('--seed', '1', '--seeds', '2', '--beside', root, '--out', folder.path)
  expect(output).toContain('"seeds":2')
  expect(output).toContain('process of the other release')
  expect(status).toBe(0)
})

test('a planted bug of the other release is found', { tags: 'long' }, async () => {
  await using folder = await temporaryFolder('release-test')
  copyRelease(root, folder.path)
  const file = path.join(folder.path, 'packages/core/src/payout/settle-payout.ts')
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, source.replace("transferOf('capture', payout)", "transferOf('release', payout)"))
  const { output, status } = await simulate(
    '--seed',
    '1',
    '--seeds',
    '4',
    '--beside',
    folder.path,
    '--out',
    folder.path,
  )
  expect(output).toContain('was released while the network had paid')
  expect(status).toBe(1)
})

test('a commit that does not exist is refused', async () => {
  await using folder = await temporaryFolder('release-test')
  expect(() => copyRelease('no-commit', folder.path)).toThrow('no-commit is no commit of this clone')
})
