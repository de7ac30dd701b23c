import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outcome } from './command.ts'
import { plant } from './workspace.fixture.ts'

const planted = plant({
  'packages/core/src/forgotten.ts': `export const forgotten: number = 1\n`,
  'packages/core/src/digest.ts': `export const digest = (text: string): string => text\n
export const unusedDigest = (): string => digest('')\n
export type UnusedDigest = string\n`,
  'hosts/api/src/serve.ts': `import { digest } from '@quipu/core'\nimport 'not-listed'\n
export const serve = (): string => digest('')\n`,
})
let outcome: Outcome

beforeAll(async () => {
  outcome = await planted.guard('dead code')
})
afterAll(() => planted[Symbol.dispose]())

test('a workspace with violations fails', () => {
  expect(outcome.code).not.toBe(0)
})

test.each([
  ['a file that nothing imports', /^packages\/core\/src\/forgotten\.ts/m],
  ['an export that nothing imports', /^unusedDigest\s.*packages\/core\/src\/digest\.ts/m],
  ['a type that nothing names', /^UnusedDigest\s.*packages\/core\/src\/digest\.ts/m],
  ['a dependency that nothing imports', /^express\s.*hosts\/api\/package\.json/m],
  ['an import of a package that is not listed', /^not-listed\s.*hosts\/api\/src\/serve\.ts/m],
])('%s is caught', (_, finding) => {
  expect(outcome.output).toMatch(finding)
})
