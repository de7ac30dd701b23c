import { expect, test } from 'vitest'
import { guards, program } from './guards.ts'
import { plant } from './workspace.fixture.ts'

test('a failed check prints the guard and its findings', { tags: 'long' }, async () => {
  using planted = plant({ 'packages/core/src/wrong.ts': `export const wrong: bigint = 1\n` })
  const { code, output } = await planted.run(program('check.ts'))
  expect(code).toBe(1)
  expect(output).toMatch(/^✗ types .*\npackages\/core\/src\/wrong\.ts.*TS2322/m)
  expect(output).toMatch(/^✓ format/m)
})

test('a guard that reads no files fails, and the test command with it, after all tests', { tags: 'long' }, async () => {
  using planted = plant({
    'packages/config/dependency-cruiser.config.ts': `export default { options: { exclude: '.' } }\n`,
    'packages/core/src/long.test.ts': `import { test } from 'vitest'\n\ntest('fails', { tags: 'long' }, () => {\n  throw new Error()\n})\n`,
  })
  const { code, output } = await planted.run(program('test-command.ts'))
  expect(output).toMatch(/^✗ boundaries .*\n.*no dependency violations found \(0 modules/m)
  expect(output).toMatch(/^boundaries read fewer than \d+ source files: see its paths/m)
  for (const other of Object.keys(guards).filter((name) => name !== 'boundaries'))
    expect(output).toMatch(new RegExp(`^✓ ${other} \\(`, 'm'))
  expect(output).toMatch(/^2 passed, 0 failed$[^]*^A guard failed: /m)
  expect(code).toBe(1)
})

test('the test command with a path runs its tests and no guard', async () => {
  using planted = plant()
  const { code, output } = await planted.run([...program('test-command.ts'), 'packages/core'])
  expect(output).toMatch(/1 passed, 0 failed\n$/)
  expect(output).not.toContain('✓ types')
  expect(code).toBe(0)
})
