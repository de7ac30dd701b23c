import { list, oneOf, OptionError, type OptionValues, text, whole } from '../../run/options.ts'
import { networkKinds } from '../../run/network-kind.ts'
import { planted } from '../plant/plants.ts'
import { calm, type Conditions } from '../scenario/scenario.ts'
import type { Kept } from '../scenario/shrink.ts'

export const optionKinds = {
  seed: whole('the first seed. Alone: runs this seed, and shrinks it when it fails', { otherwise: 1 }),
  seeds: whole('how many seeds to run at most', { from: 1, otherwise: undefined }),
  minutes: whole('for how long to begin seeds', { from: 1, otherwise: undefined }),
  jobs: whole('threads', { from: 1, otherwise: 1 }),
  plant: text('plants a bug in every process, named by a part of its name, and ends when a seed finds it'),
  network: oneOf('the network, which can cancel or cannot', networkKinds),
  beside: text('a commit, or a folder with sources: half of the processes run that release'),
  actions: list('the actions that are left of a shrunk seed, as their numbers'),
  faults: list('the faults that are left of a shrunk seed, as their numbers'),
  calm: list('the conditions of a shrunk seed that never fail', Object.keys(calm) as (keyof Conditions)[]),
  order: whole('the order of events of a shrunk seed', { otherwise: undefined }),
}

export type Options = OptionValues<typeof optionKinds>

/**
 * The part of a shrunk seed that is asked for, if any is.
 *
 * @throws OptionError
 */
export function keptOf({ seeds, minutes, actions, faults, calm: names, order }: Options): Kept | undefined {
  if ([actions, faults, names, order].every((each) => each === undefined)) return undefined
  if (seeds !== undefined || minutes !== undefined)
    throw new OptionError('--actions, --faults, --calm and --order are of one --seed, without --seeds and --minutes.')
  return {
    actions: numbers('actions', actions),
    faults: numbers('faults', faults),
    calm: names ?? [],
    order: order ?? 0,
  }
}

const numbers = (name: string, texts: readonly string[] = []): readonly number[] =>
  texts.map((each) => {
    if (!/^\d{1,9}$/.test(each)) throw new OptionError(`--${name} must be a list of whole numbers.`)
    return Number(each)
  })

/** The whole name of a planted bug. @throws OptionError */
export function plantNamed(part: string | undefined): string | undefined {
  if (part === undefined) return undefined
  const [name, ...more] = Object.keys(planted).filter((each) => each.includes(part))
  if (name !== undefined && more.length === 0) return name
  throw new OptionError(`--plant must be a part of one of: ${Object.keys(planted).join('; ')}.`)
}
