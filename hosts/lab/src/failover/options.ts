import { parseArgs } from 'node:util'

export type Options = {
  readonly runs: number
  /** Seed of the first run; later runs count up. */
  readonly seed: number
  /** Number of concurrent runs; a run mostly waits. */
  readonly parallel: number
}

const defaults = { runs: 50, seed: 0, parallel: 2 } as const satisfies Options
const minimum = { runs: 1, seed: 0, parallel: 1 } as const satisfies Options

/** @throws Error that names the option and its minimum */
export function readOptions(args: string[]): Options {
  const options = { runs: text, seed: text, parallel: text }
  // pnpm passes the `--` through.
  const { values } = parseArgs({ args: args.filter((arg) => arg !== '--'), options })
  const read = (name: keyof Options): number => {
    const value = Number(values[name] ?? defaults[name])
    if (Number.isSafeInteger(value) && value >= minimum[name]) return value
    throw new Error(`--${name} must be a whole number from ${minimum[name]}.`)
  }
  return { runs: read('runs'), seed: read('seed'), parallel: read('parallel') }
}

const text = { type: 'string' } as const
