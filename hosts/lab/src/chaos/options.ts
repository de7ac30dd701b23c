import { parseArgs } from 'node:util'
import { type FaultName, faultNames } from './plan.ts'

export type Options = {
  readonly seed: number
  /** No episode starts after this time. */
  readonly minutes: number
  readonly faults: readonly FaultName[]
  /** The greatest number of faults that overlap in a step. */
  readonly overlap: number
  /** The episode of the seed's plan to begin with; the first is 0. */
  readonly from: number
  /** The commit that an episode starts from; without it no episode has the fault `upgrade`. */
  readonly upgradeFrom: string | undefined
  /** Reports of other parts of the seed's plan, whose episodes count, too. */
  readonly earlier: readonly string[]
  /** Folder of the report, and of the logs of an episode with a violation. */
  readonly out: string
}

const texts = {
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '10' },
  faults: { type: 'string' },
  overlap: { type: 'string', default: '2' },
  from: { type: 'string', default: '0' },
  'upgrade-from': { type: 'string' },
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
  const upgradeFrom = values['upgrade-from']
  const all = faultNames.filter((fault) => fault !== 'upgrade' || upgradeFrom !== undefined)
  const faults = values.faults?.split(',').map(faultOf) ?? all
  if (faults.includes('upgrade') && upgradeFrom === undefined)
    throw new Error('The fault upgrade needs --upgrade-from and a commit of this clone.')
  return {
    seed: number('seed', 0),
    minutes: number('minutes', 1),
    faults,
    overlap: number('overlap', 2),
    from: number('from', 0),
    upgradeFrom,
    earlier: values.earlier.split(',').filter((file) => file !== ''),
    out: values.out,
  }
}

function faultOf(text: string): FaultName {
  const found = faultNames.find((name) => name === text)
  if (found) return found
  throw new Error(`--faults must be a list of: ${faultNames.join(', ')}.`)
}
