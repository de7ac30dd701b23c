import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, lstat, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { makeWhole } from './own-folder.ts'
import { StartError } from './start-error.ts'

/** The paths in a data folder, which has one folder for each major version. */
export type Layout = {
  readonly home: string
  /** PostgreSQL's data directory. */
  readonly cluster: string
  /** The superuser's password over TCP. A connection by the socket needs none. */
  readonly password: string
  /** PostgreSQL's output since its last start. */
  readonly log: string
  /** A file with the path of the socket's folder, so that a later start can remove that folder after a crash. */
  readonly socketFolder: string
}

/** Settings that override the configuration file. */
export type Settings = ReadonlyArray<readonly [name: string, value: string]>

export function layoutOf(dataDir: string): Layout {
  const home = path.join(dataDir, '18')
  return {
    home,
    cluster: path.join(home, 'cluster'),
    password: path.join(home, 'password'),
    log: path.join(home, 'postgres.log'),
    socketFolder: path.join(home, 'socket-folder'),
  }
}

/**
 * Creates the cluster unless it exists, and gives it to the account's user.
 *
 * @param sync whether the cluster must survive a power failure
 * @throws StartError when initdb fails
 */
export async function ensureCluster({ home }: Layout, account: Account, sync: boolean): Promise<void> {
  await makeWhole(home, async (half) => {
    const password = randomBytes(24).toString('base64url')
    await writeFile(path.join(half, 'password'), password, { mode: 0o600 })
    if (account.uid !== undefined) await giveTo(account.uid, half)
    await runInitdb(half, account, sync)
  })
  if (sync && process.platform !== 'win32') await syncFolder(path.dirname(home))
  // An earlier run may have used another account.
  const owner = (await lstat(home)).uid
  if (owner === (account.uid ?? process.getuid?.() ?? owner)) return
  if (account.uid === undefined) {
    throw new StartError(`${home} belongs to user ${owner}: run this as that user, or choose another data folder.`)
  }
  await giveTo(account.uid, home)
}

async function runInitdb(home: string, account: Account, sync: boolean): Promise<void> {
  const [command = '', ...args] = [
    ...account.prefix,
    account.binaries.initdb,
    `--pgdata=${path.join(home, 'cluster')}`,
    '--username=postgres',
    // PostgreSQL's built-in C.UTF-8 is the same on every system; locales of systems differ.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    `--pwfile=${path.join(home, 'password')}`,
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]
  const options = { cwd: '/', env: cleanEnvironment(), ...account.identity }
  await promisify(execFile)(command, args, options).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`PostgreSQL's initdb failed: ${message}`, { cause })
  })
}

/** The environment without the variables that PostgreSQL's programs read. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name)))
}

/** Changes the owner of a folder's content, and then of the folder, whose owner so shows that all is done. */
async function giveTo(uid: number, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(path.join(entry.parentPath, entry.name), uid, uid)
  }
  await chown(folder, uid, uid)
}

/** Makes the rename that put the cluster in its place survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}
