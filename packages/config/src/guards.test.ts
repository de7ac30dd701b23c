import { afterAll, expect, test } from 'vitest'
import { type GuardName, guards } from './guards.ts'
import { plant } from './workspace.fixture.ts'

const clean = plant()
afterAll(() => clean[Symbol.dispose]())

test.each(Object.keys(guards) as GuardName[])(
  'the guard of %s is content with a clean workspace',
  async (name) => {
    if (name === 'packages') await clean.guard('types')
    const { code, output } = await clean.guard(name)
    expect(code, output).toBe(0)
  },
)
