import { parseArgs } from 'node:util'

export type Options = {
  readonly runs: number
  /** Of the first run; each next one has the next seed. */
  readonly seed: number
  /** Runs at the same time: most of a run is waiting. */
  readonly parallel: number
}

const usual = { runs: 50, seed: 0, parallel: 2 } as const satisfies Options
const lowest = { runs: 1, seed: 0, parallel: 1 } as const satisfies Options

/** @throws Error that names the option and what is allowed */
export function readOptions(args: string[]): Options {
  const options = { runs: text, seed: text, parallel: text }
  // pnpm passes on the `--` that npm asks for.
  const { values } = parseArgs({ args: args.filter((arg) => arg !== '--'), options })
  const read = (name: keyof Options): number => {
    const value = Number(values[name] ?? usual[name])
    if (Number.isSafeInteger(value) && value >= lowest[name]) return value
    throw new Error(`--${name} must be a whole number from ${lowest[name]} on.`)
  }
  return { runs: read('runs'), seed: read('seed'), parallel: read('parallel') }
}

const text = { type: 'string' } as const
