import { expect, test } from 'vitest'
import { runScenario } from '../run/run.ts'
import { scenarioOf } from '../scenario/scenario.ts'
import { planted } from './plants.ts'

/** Seeds that found a bug last come first. */
const seeds = new Set([100, 83, 110, 68, 10, 38, ...Array.from({ length: 90 }, (_, index) => index + 1)])

test.each(Object.keys(planted))('a process that %s is found', async (name) => {
  let found: readonly string[] = []
  for (const seed of seeds) {
    found = (await runScenario(scenarioOf(seed), { plants: planted[name] })).violations
    if (found.length > 0) break
  }
  expect(found).not.toEqual([])
})
