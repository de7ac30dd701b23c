import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './command.ts'
import { guards } from './guards.ts'
import { plant } from './workspace.fixture.ts'

// The test of the test command runs the other guards on one.
test('the guard of boundaries passes on a clean workspace', async () => {
  using clean = plant()
  const { code, output } = await clean.guard('boundaries')
  expect(code, output).toBe(0)
})

test('README.md shows the output of a check', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8')
  const shown = Array.from(readme.matchAll(/^✓ (.+) \(… s\)$/gm), ([, name]) => name)
  expect(shown.toSorted()).toEqual(Object.keys(guards).toSorted())
})
