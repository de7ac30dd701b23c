import { plantsOf } from '../plant/plants.ts'
import { loadRelease } from '../release/other-release.ts'
import { thisRelease } from '../release/release.ts'
import type { Options } from './options.ts'
import type { RunOptions } from './run.ts'

/** The work of each thread. */
export type Request = Pick<Options, 'plant' | 'network'> & {
  /** The other release's folder, as `copyOtherRelease` left it. */
  readonly folder: string | undefined
}

export async function runOptions({ plant, network, folder }: Request): Promise<RunOptions> {
  const plants = plantsOf(plant)
  if (folder === undefined) return { plants, network }
  return { plants, network, releases: [thisRelease, await loadRelease(folder)] }
}
