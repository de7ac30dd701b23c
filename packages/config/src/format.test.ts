import { expect, test } from 'vitest'
import { plant } from './workspace.fixture.ts'

test('an unformatted file is caught', async () => {
  using planted = plant({ 'packages/core/src/untidy.ts': `export const a: string = "a";\n` })
  const { code, output } = await planted.guard('format')
  expect(code).not.toBe(0)
  expect(output).toContain('packages/core/src/untidy.ts')
})
