import { expect, test } from 'vitest'
import { program } from './guards.ts'
import { plant } from './workspace.fixture.ts'

test('a failed check prints the guard and its findings', async () => {
  using planted = plant({ 'packages/core/src/wrong.ts': `export const wrong: bigint = 1\n` })
  const { code, output } = await planted.run(program('check.ts'))
  expect(code).toBe(1)
  expect(output).toMatch(/^✗ types .*\npackages\/core\/src\/wrong\.ts.*TS2322/m)
  expect(output).toMatch(/^✓ format/m)
})

test('a guard that reads no files fails', async () => {
  using planted = plant({
    'packages/config/dependency-cruiser.config.ts': `export default { options: { exclude: '.' } }\n`,
    'packages/core/src/wrong.ts': `export const wrong: bigint = 1\n`,
  })
  const { output } = await planted.run(program('check.ts'))
  expect(output).toMatch(/^✗ boundaries .*\n.*no dependency violations found \(0 modules/m)
  expect(output).toMatch(/^boundaries read fewer than \d+ source files: see its paths/m)
})
