import { expect, test } from 'vitest'
import { folderCircleBreaches } from './folder-circles.ts'

const file = (path: string, ...imported: readonly string[]) => ({
  path: `packages/core/src/${path}`,
  text: imported.map((from) => `import { x } from '${from}'\n`).join(''),
})

const importing = [
  file('payout/payout.ts', '../deposit/deposit.ts'),
  file('payout/ports.ts'),
  file('deposit/deposit.ts', '../money.ts'),
  file('money.ts'),
]

test('folders that import one another in one direction are no circle', () => {
  expect(folderCircleBreaches(importing)).toEqual([])
})

test.each([
  ['two folders', [file('deposit/ports.ts', '../payout/ports.ts')]],
  ['three folders', [file('deposit/ports.ts', '../event/event.ts'), file('event/event.ts', '../payout/ports.ts')]],
  ['a folder and a file', [file('deposit/ports.ts', '../stores.ts'), file('stores.ts', './payout/ports.ts')]],
])('%s that import each other are named with their imports, once', (_, planted) => {
  const [found, ...others] = folderCircleBreaches([...importing, ...planted])
  expect(others).toEqual([])
  expect(found).toMatch(
    /^packages\/core\/src\/deposit: imports itself through packages\/core\/src\/deposit\/ports[.]ts → /,
  )
  expect(found).toContain('packages/core/src/payout/payout.ts → packages/core/src/deposit/deposit.ts')
})

test('tests and fixtures may import in both directions', () => {
  const fixture = file('deposit/deposit.fixture.ts', '../payout/ports.ts')
  expect(folderCircleBreaches([...importing, fixture])).toEqual([])
})
