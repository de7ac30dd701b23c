import { randomBytes } from 'node:crypto'
import { lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'

// Distinguishes this run from an earlier one with the same process id, as is common in containers.
const run = randomBytes(4).toString('hex')

/** Creates a folder whose name begins with `prefix` and has the id of this process. */
export function makeOwnFolder(prefix: string): Promise<string> {
  return mkdtemp(`${prefix}.${process.pid}-${run}-`)
}

/** The folders of this prefix whose process has ended. */
export async function findAbandoned(prefix: string): Promise<string[]> {
  const parent = path.dirname(prefix)
  const start = `${path.basename(prefix)}.`
  const names = (await readdir(parent)).filter((name) => name.startsWith(start))
  return names.filter((name) => isAbandoned(name.slice(start.length))).map((name) => path.join(parent, name))
}

function isAbandoned(mark: string): boolean {
  const [, pid, owner] = /^(\d+)-([0-9a-f]{8})-/.exec(mark) ?? []
  if (pid === undefined) return false
  return Number(pid) === process.pid ? owner !== run : !isRunning(Number(pid))
}

/**
 * Builds a folder under a temporary name and renames it, so that an existing folder is complete. Removes what
 * an interrupted build left. Does nothing when the folder exists; of two concurrent builds the first to
 * finish wins, and the other uses its folder.
 */
export async function makeWhole(folder: string, build: (half: string) => Promise<void>): Promise<void> {
  const prefix = `${folder}.half`
  await Promise.all((await findAbandoned(prefix)).map(removeFolder))
  if (await exists(folder)) return
  const half = await makeOwnFolder(prefix)
  try {
    await build(half)
    await rename(half, folder)
  } catch (error) {
    await removeFolder(half)
    if (!(await exists(folder))) throw error
  }
}

/** Removes a folder; retries while a child of a killed process still deletes files in it. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** Whether a process with this id exists, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )
