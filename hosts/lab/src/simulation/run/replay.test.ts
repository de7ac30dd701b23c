import { expect, test } from 'vitest'
import { scenarioOf } from '../scenario/scenario.ts'
import { runScenario } from './run.ts'

test.each([3, 7, 11])('seed %i gives the same trace again, and another one another', async (seed) => {
  const { trace, events } = await runScenario(scenarioOf(seed))
  expect(await runScenario(scenarioOf(seed))).toMatchObject({ trace, events })
  expect((await runScenario(scenarioOf(seed + 1))).trace).not.toBe(trace)
})
