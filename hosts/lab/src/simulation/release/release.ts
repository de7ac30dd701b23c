import { AppSettings, composeUseCases } from '@quipu/api'
import { workerLoops } from '@quipu/worker'
import { WorkerSettings } from '@quipu/worker/settings'

/** The code of one release in a process: the compositions of its programs, and their settings. */
export type Release = {
  readonly composeUseCases: typeof composeUseCases
  readonly workerLoops: typeof workerLoops
  readonly AppSettings: typeof AppSettings
  readonly WorkerSettings: typeof WorkerSettings
}

/** The release of this source. */
export const thisRelease: Release = { composeUseCases, workerLoops, AppSettings, WorkerSettings }
