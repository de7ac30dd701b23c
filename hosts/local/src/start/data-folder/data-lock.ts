import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataLock = { stop(): void }

/** @param heldBy  the process; undefined when it has not said yet */
export type LockedOut = { readonly heldBy: number | undefined }

const busy = 5 // SQLITE_BUSY

/**
 * Takes a folder for this process, if no other living process has it.
 *
 * SQLite is used for nothing but the lock on its file: it is the operating system's, on every
 * platform, and goes with its process however that ends. A process number in a file would have to
 * be guessed about, since numbers are given again: in a container, most often the very same one.
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
      return { heldBy: pidIn(pidFile) }
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
