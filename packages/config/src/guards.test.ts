import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { repository } from './command.ts'
import { type GuardName, guards } from './guards.ts'
import { plant } from './workspace.fixture.ts'

const clean = plant()
afterAll(() => clean[Symbol.dispose]())

test.each(Object.keys(guards) as GuardName[])('the guard of %s passes on a clean workspace', async (name) => {
  if (name === 'packages') await clean.guard('types')
  const { code, output } = await clean.guard(name)
  expect(code, output).toBe(0)
})

test('README.md shows the output of a check', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8')
  const shown = Array.from(readme.matchAll(/^✓ (.+) \(… s\)$/gm), ([, name]) => name)
  expect(shown.toSorted()).toEqual(Object.keys(guards).toSorted())
})
