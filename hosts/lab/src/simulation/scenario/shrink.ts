import { calm, type Conditions, type Scenario } from './scenario.ts'

/** The part of a seed's scenario that is left. */
export type Kept = {
  /** Indexes of actions and faults. */
  readonly actions: readonly number[]
  readonly faults: readonly number[]
  /** Conditions without faults. */
  readonly calm: readonly (keyof Conditions)[]
  readonly order: number
}

export const everything = ({ actions, faults }: Scenario): Kept => ({
  actions: Array.from(actions.keys()),
  faults: Array.from(faults.keys()),
  calm: [],
  order: 0,
})

/** The scenario without what is not kept. */
export const reduced = (scenario: Scenario, kept: Kept): Scenario => ({
  ...scenario,
  order: kept.order,
  actions: scenario.actions.filter((_, index) => kept.actions.includes(index)),
  faults: scenario.faults.filter((_, index) => kept.faults.includes(index)),
  conditions: { ...scenario.conditions, ...Object.fromEntries(kept.calm.map((name) => [name, calm[name]])) },
})

const runsMax = 1_000

/** How many orders of events each smaller scenario is tried in: without a part, the same order is another run. */
const ordersEach = 8

/**
 * The smallest part of a failing scenario that was found to fail: under calm conditions, then without groups of faults
 * and actions, then without single ones.
 *
 * @param fails  whether a scenario fails
 */
export async function shrink(scenario: Scenario, fails: (scenario: Scenario) => Promise<boolean>): Promise<Kept> {
  let kept = everything(scenario)
  let runs = 0
  const accepts = async (smaller: Kept): Promise<boolean> => {
    for (let tried = 0; tried < ordersEach && runs < runsMax; tried++) {
      runs += 1
      const candidate = { ...smaller, order: kept.order + tried }
      if (!(await fails(reduced(scenario, candidate)))) continue
      kept = candidate
      return true
    }
    return false
  }
  for (const name of Object.keys(calm) as (keyof Conditions)[])
    if (scenario.conditions[name] !== calm[name]) await accepts({ ...kept, calm: [...kept.calm, name] })
  for (let before = Infinity; sizeOf(kept) < before;) {
    before = sizeOf(kept)
    for (const part of ['faults', 'actions'] as const)
      for (const size of halves(kept[part].length))
        for (let from = 0; from < kept[part].length;) {
          const rest = kept[part].filter((_, index) => index < from || index >= from + size)
          if (!(await accepts({ ...kept, [part]: rest }))) from += size
        }
  }
  return kept
}

const sizeOf = ({ actions, faults }: Kept): number => actions.length + faults.length

/** Half of a length, half of that, and so on down to 1. */
function halves(length: number): readonly number[] {
  if (length === 0) return []
  const half = Math.ceil(length / 2)
  return half === 1 ? [1] : [half, ...halves(half)]
}
