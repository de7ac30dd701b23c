import { expect, test } from 'vitest'
import { cleanWorkspace } from './clean-workspace.fixture.ts'
import { plant } from './workspace.fixture.ts'

const index = 'packages/core/src/index.ts'

test.each([
  ['a link without a target', 'As {@link Quote} has it.', 'Failed to resolve link to "Quote"'],
  ['an unknown tag', '@sauce spec §4', 'unknown block tag @sauce'],
])('%s is caught in a docstring', async (_, line, complaint) => {
  using planted = plant({
    [index]: `${cleanWorkspace[index]}export { sum } from './sum.ts'\n`,
    'packages/core/src/sum.ts': `/** ${line} */\nexport const sum: bigint = 0n\n`,
  })
  const { code, output } = await planted.guard('references')
  expect(code).not.toBe(0)
  expect(output).toContain(complaint)
})
