import { expect, test } from 'vitest'
import { models } from './models.fixture.ts'
import { plantedBugs } from './planted-bugs.fixture.ts'
import { parseModel, readModel, sample } from './quint.fixture.ts'

/** The search ends at the first violation. The seed makes it repeatable. */
const search = { samples: 2_000, steps: 40 }

const cases = plantedBugs.flatMap((bug) => bug.violates.map((invariant) => ({ ...bug, invariant })))

const firstOf = new Map(cases.toReversed().map((planted) => [planted.model, planted]))

for (const planted of cases) {
  const { model: name, bug, line, becomes, invariant, init = 'init', seed = 3 } = planted
  const tags = firstOf.get(name) === planted ? [] : ['long']
  test(`${name}: a process that ${bug} violates ${invariant}`, { tags }, async () => {
    const [before, after, ...more] = (await readModel(name)).split(line)
    expect([after === undefined, more, models[name].invariants.includes(invariant)]).toEqual([false, [], true])
    const model = parseModel(`${before}${becomes}${after}`, name)
    expect(sample(model, { invariants: [invariant], init, seed, ...search }).violated).toEqual([invariant])
  })
}
