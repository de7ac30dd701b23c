import { expect, test } from 'vitest'
import { type Scenario, scenarioOf } from './scenario.ts'
import { everything, reduced, shrink } from './shrink.ts'

const scenario = scenarioOf(12)

/** Fails when the third action and the first fault are there. */
const fails = async ({ actions, faults }: Scenario): Promise<boolean> =>
  actions.some(({ details }) => details === scenario.actions[2]?.details) &&
  faults.some(({ at }) => at === scenario.faults[0]?.at)

test('a scenario shrinks to what makes it fail', async () => {
  expect(await fails(scenario)).toBe(true)
  const kept = await shrink(scenario, fails)
  expect(kept).toMatchObject({ actions: [2], faults: [0] })
  expect(await fails(reduced(scenario, kept))).toBe(true)
})

test('a part that fails in another order of events only is kept with that order', async () => {
  const inOneOrder = async (smaller: Scenario): Promise<boolean> =>
    (await fails(smaller)) && (smaller.actions.length > 3 || smaller.order === 3)
  const kept = await shrink(scenario, inOneOrder)
  expect(kept).toMatchObject({ actions: [2], faults: [0], order: 3 })
})

test('everything of a scenario is the scenario', () => {
  expect(reduced(scenario, everything(scenario))).toEqual(scenario)
})
