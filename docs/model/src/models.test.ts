import { expect, test } from 'vitest'
import { modelNames, models } from './models.fixture.ts'
import { checkTypes, parseModel, readModel, sample } from './quint.fixture.ts'

/** More samples: docs/model.md. The seed makes the test repeatable. */
const search = { samples: 40, steps: 40, seed: 9 }

test.each(modelNames)('%s: no sample violates an invariant', async (name) => {
  const { invariants, starts } = models[name]
  const text = await readModel(name)
  checkTypes(text, name)
  const model = parseModel(text, name)
  for (const [init, witnesses] of Object.entries(starts)) {
    const { violated, witnessed } = sample(model, { invariants, witnesses, init, ...search })
    expect(violated).toEqual([])
    for (const witness of witnesses) expect(witnessed[witness], witness).toBeGreaterThan(0)
  }
})
