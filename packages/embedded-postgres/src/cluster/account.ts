import { spawnSync } from 'node:child_process'
import { chown } from 'node:fs/promises'
import path from 'node:path'
import { copyBinaries, type Binaries } from './binaries.ts'
import { StartError } from './start-error.ts'

/** The user that PostgreSQL's programs run as, and how they are started as that user. */
export type Account = {
  /** The owner of the files; undefined when they already belong to the current user. */
  readonly uid: number | undefined
  /** The command before the program and its arguments. */
  readonly prefix: readonly string[]
  /** Options of `child_process.spawn`. */
  readonly identity: { readonly uid?: number; readonly gid?: number }
  readonly binaries: Binaries
}

/** A method of running PostgreSQL, which a machine may allow or not. */
export type LaunchMethod = Omit<Account, 'binaries'> & { readonly name: string; readonly copies?: boolean }

const nobody = 65534
const ids = { uid: nobody, gid: nobody }
// Sends SIGINT (a fast shutdown) to PostgreSQL when this process dies, even by SIGKILL.
const endWithParent = ['setpriv', '--pdeathsig', 'INT']

// PostgreSQL refuses to run as root. The first method is a user namespace, in which root has another user id;
// the files stay root's. Containers often forbid it. The second is the user `nobody` with the one capability
// that opens root's folders, and the last is `nobody` without it.
const rootMethods: readonly LaunchMethod[] = [
  {
    name: 'unshare',
    uid: 0,
    prefix: ['unshare', '-U', `--map-user=${nobody}`, `--map-group=${nobody}`, ...endWithParent],
    identity: {},
  },
  {
    name: 'setpriv',
    uid: nobody,
    prefix: [
      'setpriv',
      `--reuid=${nobody}`,
      `--regid=${nobody}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--pdeathsig',
      'INT',
    ],
    identity: {},
  },
  { name: 'nobody', uid: nobody, prefix: [], identity: ids },
  { name: 'nobody-copy', uid: nobody, prefix: [], identity: ids, copies: true },
]

const userMethods: readonly LaunchMethod[] = [
  { name: 'setpriv', uid: undefined, prefix: endWithParent, identity: {} },
  { name: 'plain', uid: undefined, prefix: [], identity: {} },
]

/** The methods for this machine, in the order in which they are tried. */
export function launchMethods(): readonly LaunchMethod[] {
  if (process.platform !== 'linux') return userMethods.slice(1)
  return process.getuid?.() === 0 ? rootMethods : userMethods
}

/**
 * Chooses the first method by which PostgreSQL runs and can enter `folder`, which is given to its user.
 *
 * @throws StartError with the error of each method
 */
export async function chooseAccount(
  binaries: Binaries,
  folder: string,
  methods: readonly LaunchMethod[],
): Promise<Account> {
  const refusals: string[] = []
  for (const { name, copies, ...method } of methods) {
    if (method.uid !== undefined) await chown(folder, method.uid, method.uid)
    const account = {
      ...method,
      binaries: copies ? await copyBinaries(binaries, path.join(folder, 'binaries')) : binaries,
    }
    const refusal = process.platform === 'win32' ? undefined : refusalOf(account, folder)
    if (refusal === undefined) return account
    refusals.push(`  ${name}: ${refusal}`)
  }
  throw new StartError(explain(folder, refusals))
}

/** @returns why the account cannot run PostgreSQL in the folder, or undefined when it can */
function refusalOf(account: Account, folder: string): string | undefined {
  const script = 'cd "$1" && exec "$2" --version'
  const shell = [...account.prefix, '/bin/sh', '-c', script, 'sh', folder, account.binaries.postgres] as const
  const [command, ...args] = shell
  const tried = spawnSync(command, args, { cwd: '/', encoding: 'utf8', ...account.identity })
  if (tried.status === 0) return undefined
  return tried.error?.message ?? (tried.stderr.trim() || `exit code ${tried.status}`)
}

function explain(folder: string, refusals: readonly string[]): string {
  const advice =
    process.platform === 'linux' && process.getuid?.() === 0
      ? `PostgreSQL does not run as root. Run this as an ordinary user, allow \`unshare -U\` ` +
        `(util-linux), or put the data folder where user ${nobody} may enter it.`
      : process.getuid?.() === 0
        ? 'PostgreSQL does not run as root: run this as an ordinary user.'
        : 'If a library is missing, its install script did not run: `npx -y pnpm@12 rebuild`.'
  return [`PostgreSQL cannot run in ${folder}.`, ...refusals, advice].join('\n')
}
