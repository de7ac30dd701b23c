import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataLock = { stop(): void }

/** The lock is held by this process; undefined if its pid is not written yet. */
export type LockedOut = { readonly ownerPid: number | undefined }

const busy = 5 // SQLITE_BUSY

/**
 * Locks a folder for this process, unless another running process has locked it.
 *
 * Uses SQLite's lock on its file: on every platform the operating system releases it when the process ends. A pid file
 * alone is not enough, because pids are reused; in a container often the same one.
 */
export function lockData(dataDir: string): DataLock | LockedOut {
  const file = path.join(dataDir, 'lock')
  const pidFile = path.join(dataDir, 'pid')
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma journal_mode = memory; begin immediate')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      return { ownerPid: pidIn(pidFile) }
    }
    throw error
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return { stop: () => database.close() }
}

function pidIn(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}
