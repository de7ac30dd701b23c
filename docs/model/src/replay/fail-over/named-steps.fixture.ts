import type { TraceStep } from '../../quint.fixture.ts'
import type { State, Step } from './model-state.fixture.ts'

const faults = new Set([
  'networkPays',
  'standbyReceives',
  'standbyStallsOrGoesOn',
  'sessionEnds',
  'primaryRestarts',
  'standbyIsPromoted',
])

/** Names the steps of a trace that a process takes: by what it did before and does after, such as `Idle → Read`. */
export function namedSteps(trace: readonly TraceStep[]): readonly TraceStep[] {
  let before: ReadonlyMap<string, Step> = new Map()
  return trace.map((step) => {
    const { steps } = step.state as unknown as State
    const [[p, after] = [], ...others] = Array.from(steps).filter(
      ([name, each]) => JSON.stringify(each) !== JSON.stringify(before.get(name) ?? 'Idle'),
    )
    const tag = tagOf(before.get(p ?? '') ?? 'Idle')
    before = steps
    if (faults.has(step.action)) return step
    if (p === undefined || after === undefined || others.length > 0)
      throw new Error(`${step.action} is no step of one process`)
    return { ...step, action: `${tag} → ${tagOf(after)}`, picks: { ...step.picks, p } }
  })
}

const tagOf = (step: Step): string => (typeof step === 'string' ? step : step.tag)
