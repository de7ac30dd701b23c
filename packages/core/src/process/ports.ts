import type { RecordedProcess, ServiceProcess } from './process.ts'

/** Stores which processes run. Every method throws `Unavailable` when the database cannot be read or written. */
export type ProcessStore = {
  /** Records that the process runs now. Deletes processes that have been silent for a day. */
  beat(process: ServiceProcess): Promise<void>
  /** Deletes a process that stops. Does nothing when it is not recorded. */
  end(id: string): Promise<void>
  /** All recorded processes, by program, then the first started first. */
  list(): Promise<readonly RecordedProcess[]>
}
