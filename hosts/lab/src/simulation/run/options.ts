import { parseArgs } from 'node:util'
import { calm, type Conditions } from '../scenario/scenario.ts'
import { planted } from '../plant/plants.ts'
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
  /** The fault that is planted in every process. */
  readonly plant: string | undefined
  /** The release that runs beside this one: a commit, or a folder. */
  readonly beside: string | undefined
}

export const usage = `Usage: pnpm simulate [--seed N] [--seeds C] [--minutes M] [--jobs K] [--plant TEXT] [--beside COMMIT]
  --seed N     the first seed; 1 by default. Alone: runs this seed, and shrinks it when it fails
  --seeds C    how many seeds to run at most
  --minutes M  for how long to begin seeds
  --jobs K     threads; 1 by default
  --plant TEXT plants a fault, named by a part of its name, and ends when a seed finds it
  --beside COMMIT  half of the processes run the release of this commit, or of this folder
  --actions, --faults, --calm, --order   the part of a shrunk seed to run again`

/** @returns the options, or what is wrong with them */
export function readOptions(args: readonly string[]): Options | string {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: text,
        seeds: text,
        minutes: text,
        jobs: text,
        plant: text,
        beside: text,
        actions: text,
        faults: text,
        calm: text,
        order: text,
      },
    })
    const whole = (name: 'seed' | 'seeds' | 'minutes' | 'jobs' | 'order', other: number): number =>
      values[name] === undefined ? other : wholeNumber(`--${name}`, values[name])
    const { actions, faults, calm: names } = values
    const isPart = [actions, faults, names, values.order].some((each) => each !== undefined)
    const isMany = values.seeds !== undefined || values.minutes !== undefined
    if (isPart && (isMany || values.seed === undefined))
      return '--actions, --faults, --calm and --order need one --seed'
    const kept = {
      actions: indexes(actions),
      faults: indexes(faults),
      calm: conditions(names),
      order: whole('order', 0),
    }
    return {
      seed: whole('seed', 1),
      kept: isPart ? kept : undefined,
      seeds: whole('seeds', values.minutes === undefined ? 1 : Infinity),
      minutes: whole('minutes', Infinity),
      jobs: whole('jobs', 1),
      plant: values.plant === undefined ? undefined : plantNamed(values.plant),
      beside: values.beside,
    }
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be read'
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number`)
  return Number(text)
}

function plantNamed(text: string): string {
  const [name, ...more] = Object.keys(planted).filter((each) => each.includes(text))
  if (name !== undefined && more.length === 0) return name
  throw new Error(`--plant takes a part of one of: ${Object.keys(planted).join('; ')}`)
}

const indexes = (text = ''): readonly number[] =>
  text === '' ? [] : text.split(',').map((each) => wholeNumber('an index', each))

const conditions = (text = ''): readonly (keyof Conditions)[] =>
  (text === '' ? [] : text.split(',')).map((name) => {
    if (!(name in calm)) throw new Error(`--calm takes ${Object.keys(calm).join(', ')}`)
    return name as keyof Conditions
  })
