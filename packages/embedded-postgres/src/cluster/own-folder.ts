import { randomBytes } from 'node:crypto'
import { lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'

// In a container every run may have the same process id; this tells ours from an earlier one.
const run = randomBytes(4).toString('hex')

/** Makes a new folder whose name is `prefix` and whose process it is. */
export function makeOwnFolder(prefix: string): Promise<string> {
  return mkdtemp(`${prefix}.${process.pid}-${run}-`)
}

/** The folders of this prefix whose process has ended; those of living processes are not ours. */
export async function findAbandoned(prefix: string): Promise<string[]> {
  const parent = path.dirname(prefix)
  const start = `${path.basename(prefix)}.`
  const names = (await readdir(parent)).filter((name) => name.startsWith(start))
  return names
    .filter((name) => isAbandoned(name.slice(start.length)))
    .map((name) => path.join(parent, name))
}

function isAbandoned(mark: string): boolean {
  const [, pid, owner] = /^(\d+)-([0-9a-f]{8})-/.exec(mark) ?? []
  if (pid === undefined) return false
  return Number(pid) === process.pid ? owner !== run : !isRunning(Number(pid))
}

/**
 * Builds a folder beside its place and moves it there whole, so that a folder which exists is
 * complete and one that was cut short is only rubbish. Does nothing when the folder exists; when
 * two build at once, the first to finish wins and the other takes its folder.
 */
export async function makeWhole(
  folder: string,
  build: (half: string) => Promise<void>,
): Promise<void> {
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

/** Removes a folder, even while a killed builder's child is still tidying it up. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** Whether a process with this number exists, whosever it is. */
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
