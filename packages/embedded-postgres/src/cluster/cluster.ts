import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, lstat, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { makeWhole } from './own-folder.ts'
import { StartError } from './start-error.ts'

/** Where things lie in a data folder, in a folder per major version. */
export type Layout = {
  readonly home: string
  /** PostgreSQL's own folder. */
  readonly cluster: string
  /** The superuser's, for TCP; whoever can enter the socket's folder needs none. */
  readonly password: string
  /** What PostgreSQL wrote since it was last started. */
  readonly log: string
  /** Names the socket's folder, so that it can be removed after a crash. */
  readonly socketFolder: string
}

/** What the server is started with, beside its configuration file. */
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
 * Makes the cluster unless it is there, and leaves it owned by the account.
 *
 * @param sync  whether the cluster must survive a power cut
 * @throws StartError when initdb fails
 */
export async function ensureCluster(
  { home }: Layout,
  account: Account,
  sync: boolean,
): Promise<void> {
  await makeWhole(home, async (half) => {
    const password = randomBytes(24).toString('base64url')
    await writeFile(path.join(half, 'password'), password, { mode: 0o600 })
    if (account.uid !== undefined) await giveTo(account.uid, half)
    await runInitdb(half, account, sync)
  })
  if (sync && process.platform !== 'win32') await syncFolder(path.dirname(home))
  // An earlier run may have been another account.
  const owner = (await lstat(home)).uid
  if (owner === (account.uid ?? process.getuid?.() ?? owner)) return
  if (account.uid === undefined) {
    throw new StartError(
      `${home} belongs to user ${owner}: run this as that user, or choose another data folder.`,
    )
  }
  await giveTo(account.uid, home)
}

async function runInitdb(home: string, account: Account, sync: boolean): Promise<void> {
  const [command = '', ...args] = [
    ...account.prefix,
    account.binaries.initdb,
    `--pgdata=${path.join(home, 'cluster')}`,
    '--username=postgres',
    // PostgreSQL's own C.UTF-8 is the same on every system, which the systems' are not.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--auth-local=trust', '--auth-host=scram-sha-256'],
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

/** The environment without what would turn PostgreSQL's programs elsewhere. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name)),
  )
}

/** Changes the owner of all that a folder holds and, last, so that a cut is seen, of the folder. */
async function giveTo(uid: number, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(path.join(entry.parentPath, entry.name), uid, uid)
  }
  await chown(folder, uid, uid)
}

/** Without it a power cut could take back the move that put the cluster in its place. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}
