import { expect, test } from 'vitest'
import { runScenario } from '../run/run.ts'
import { scenarioOf } from '../scenario/scenario.ts'
import { planted } from './plants.ts'

test.each(Object.keys(planted))('a process that %s is found', async (name) => {
  let found: readonly string[] = []
  for (let seed = 1; seed <= 90 && found.length === 0; seed++)
    found = (await runScenario(scenarioOf(seed), { plants: planted[name] })).violations
  expect(found).not.toEqual([])
})
