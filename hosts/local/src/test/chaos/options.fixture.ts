import { parseArgs } from 'node:util'
import { type FaultName, faultNames } from './plan.fixture.ts'

export type Options = {
  readonly seed: number
  /** No episode starts after this time. */
  readonly minutes: number
  readonly faults: readonly FaultName[]
  /** The greatest number of faults that overlap in a step. */
  readonly overlap: number
  /** The episode of the seed's plan to begin with; the first is 0. */
  readonly from: number
  /** Reports of other parts of the seed's plan, whose episodes count, too. */
  readonly earlier: readonly string[]
  /** Folder of the report, and of the logs of an episode with a violation. */
  readonly out: string
}

const texts = {
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '10' },
  faults: { type: 'string', default: faultNames.join() },
  overlap: { type: 'string', default: '2' },
  from: { type: 'string', default: '0' },
  earlier: { type: 'string', default: '' },
  out: { type: 'string', default: '.quipu/chaos' },
} as const

/** @throws Error that names the option and what it may be */
export function readOptions(args: readonly string[]): Options {
  // pnpm passes the `--` through.
  const { values } = parseArgs({ args: args.filter((arg) => arg !== '--'), options: texts })
  const number = (name: 'seed' | 'minutes' | 'overlap' | 'from', minimum: number): number => {
    const value = Number(values[name])
    if (Number.isSafeInteger(value) && value >= minimum) return value
    throw new Error(`--${name} must be a whole number from ${minimum}.`)
  }
  return {
    seed: number('seed', 0),
    minutes: number('minutes', 1),
    faults: values.faults.split(',').map(faultOf),
    overlap: number('overlap', 2),
    from: number('from', 0),
    earlier: values.earlier.split(',').filter((file) => file !== ''),
    out: values.out,
  }
}

function faultOf(text: string): FaultName {
  const found = faultNames.find((name) => name === text)
  if (found) return found
  throw new Error(`--faults must be a list of: ${faultNames.join(', ')}.`)
}
