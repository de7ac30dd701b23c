import type { RecordedProcess, ServiceProcess } from './process.ts'

/** Stores which processes run. Every method throws `Unavailable` when the database cannot be read or written. */
export type ProcessStore = {
  /** Records that the process runs now. Deletes processes that have been silent for `processForgottenSeconds`. */
  beat(process: ServiceProcess): Promise<void>
  /** Records that a process stops. Does nothing when it is not recorded, or has stopped. */
  end(id: string): Promise<void>
  /** All recorded processes, those that have stopped included, by program, then the first started first. */
  list(): Promise<readonly RecordedProcess[]>
}
