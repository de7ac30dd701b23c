import { parseArgs } from 'node:util'
import { calm, type Conditions } from '../scenario/scenario.ts'
import type { Kept } from '../scenario/shrink.ts'

/** What `simulate` was asked for. */
export type Options = {
  /** The first seed. */
  readonly seed: number
  /** Only this part of one seed's scenario. */
  readonly kept: Kept | undefined
  /** How many seeds to run at most. */
  readonly seeds: number
  /** How long to begin seeds, in minutes. */
  readonly minutes: number
  readonly jobs: number
}

export const usage = `Usage: pnpm simulate [--seed N] [--seeds C] [--minutes M] [--jobs K]
  --seed N     the first seed; 1 by default. Alone: runs this seed, and shrinks it when it fails
  --seeds C    how many seeds to run at most
  --minutes M  for how long to begin seeds
  --jobs K     threads; 1 by default
  --actions, --faults, --calm   the part of a shrunk seed to run again: lists of indexes, and of conditions`

/** @returns the options, or what is wrong with them */
export function readOptions(args: readonly string[]): Options | string {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...{ seed: text, seeds: text, minutes: text, jobs: text },
        ...{ actions: text, faults: text, calm: text },
      },
    })
    const whole = (name: 'seed' | 'seeds' | 'minutes' | 'jobs', other: number): number =>
      values[name] === undefined ? other : wholeNumber(`--${name}`, values[name])
    const { actions, faults, calm: names } = values
    const isPart = actions !== undefined || faults !== undefined || names !== undefined
    const isMany = values.seeds !== undefined || values.minutes !== undefined
    if (isPart && (isMany || values.seed === undefined))
      return '--actions, --faults and --calm need one --seed'
    const kept = { actions: indexes(actions), faults: indexes(faults), calm: conditions(names) }
    return {
      seed: whole('seed', 1),
      kept: isPart ? kept : undefined,
      seeds: whole('seeds', values.minutes === undefined ? 1 : Infinity),
      minutes: whole('minutes', Infinity),
      jobs: whole('jobs', 1),
    }
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be read'
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number`)
  return Number(text)
}

const indexes = (text = ''): readonly number[] =>
  text === '' ? [] : text.split(',').map((each) => wholeNumber('an index', each))

const conditions = (text = ''): readonly (keyof Conditions)[] =>
  (text === '' ? [] : text.split(',')).map((name) => {
    if (!(name in calm)) throw new Error(`--calm takes ${Object.keys(calm).join(', ')}`)
    return name as keyof Conditions
  })
