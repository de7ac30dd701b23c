import { expect, test } from 'vitest'
import { models } from './models.fixture.ts'
import { plantedBugs } from './planted-bugs.fixture.ts'
import { parseModel, readModel, sample } from './quint.fixture.ts'

/** The search ends at the first violation. The seed makes it repeatable. */
const search = { samples: 2_000, steps: 40 }

const cases = plantedBugs.flatMap((bug) => bug.violates.map((invariant) => ({ ...bug, invariant })))

test.each(cases)('$model: a process that $bug violates $invariant', async (planted) => {
  const { model: name, line, becomes, invariant, init = 'init', seed = 3 } = planted
  const [before, after, ...more] = (await readModel(name)).split(line)
  expect([after === undefined, more, models[name].invariants.includes(invariant)]).toEqual([false, [], true])
  const model = parseModel(`${before}${becomes}${after}`, name)
  expect(sample(model, { invariants: [invariant], init, seed, ...search }).violated).toEqual([invariant])
})
