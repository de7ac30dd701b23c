import { calm, type Conditions, type Scenario } from './scenario.ts'

/** The part of a seed's scenario that is left. */
export type Kept = {
  /** Indexes of actions and faults. */
  readonly actions: readonly number[]
  readonly faults: readonly number[]
  /** Conditions without faults. */
  readonly calm: readonly (keyof Conditions)[]
}

export const everything = ({ actions, faults }: Scenario): Kept => ({
  actions: Array.from(actions.keys()),
  faults: Array.from(faults.keys()),
  calm: [],
})

/** The scenario without what is not kept. */
export const reduced = (scenario: Scenario, kept: Kept): Scenario => ({
  ...scenario,
  actions: scenario.actions.filter((_, index) => kept.actions.includes(index)),
  faults: scenario.faults.filter((_, index) => kept.faults.includes(index)),
  conditions: {
    ...scenario.conditions,
    ...Object.fromEntries(kept.calm.map((name) => [name, calm[name]])),
  },
})

const runsMax = 300

/**
 * The smallest part of a failing scenario that was found to fail: without groups of actions and faults, then without
 * single ones, then under calm conditions.
 *
 * @param fails  whether a scenario fails
 */
export async function shrink(
  scenario: Scenario,
  fails: (scenario: Scenario) => Promise<boolean>,
): Promise<Kept> {
  let kept = everything(scenario)
  let runs = 0
  const accepts = async (smaller: Kept): Promise<boolean> => {
    runs += 1
    if (runs > runsMax || !(await fails(reduced(scenario, smaller)))) return false
    kept = smaller
    return true
  }
  for (const name of Object.keys(calm) as (keyof Conditions)[])
    if (scenario.conditions[name] !== calm[name])
      await accepts({ ...kept, calm: [...kept.calm, name] })
  for (const part of ['faults', 'actions'] as const) {
    for (
      let size = Math.ceil(kept[part].length / 2);
      size >= 1;
      size = size > 1 ? Math.ceil(size / 2) : 0
    ) {
      for (let from = 0; from < kept[part].length;) {
        const rest = kept[part].filter((_, index) => index < from || index >= from + size)
        if (!(await accepts({ ...kept, [part]: rest }))) from += size
      }
    }
  }
  return kept
}
