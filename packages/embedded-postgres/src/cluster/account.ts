import { spawnSync } from 'node:child_process'
import { chown } from 'node:fs/promises'
import path from 'node:path'
import { copyBinaries, type Binaries } from './binaries.ts'
import { StartError } from './start-error.ts'

/** Who PostgreSQL's programs run as, and how they are started so. */
export type Account = {
  /** Who owns the files; undefined when they already belong to the one who runs this. */
  readonly uid: number | undefined
  /** The command that the program and its arguments are appended to. */
  readonly prefix: readonly string[]
  /** For `child_process.spawn`. */
  readonly identity: { readonly uid?: number; readonly gid?: number }
  readonly binaries: Binaries
}

/** A way to run PostgreSQL that a machine may allow or not. */
export type Way = Omit<Account, 'binaries'> & { readonly name: string; readonly copies?: boolean }

const nobody = 65534
const ids = { uid: nobody, gid: nobody }
// Interrupts PostgreSQL (a fast shutdown) when our process dies, however it dies.
const dieWithUs = ['setpriv', '--pdeathsig', 'INT']

// PostgreSQL refuses to run as root, so root pretends or steps down. First a user namespace: the
// server believes to be nobody, and the files stay root's. Containers often forbid it: then
// nobody, with the one capability that opens root's folders; then nobody alone.
const rootWays: readonly Way[] = [
  {
    name: 'unshare',
    uid: 0,
    prefix: ['unshare', '-U', `--map-user=${nobody}`, `--map-group=${nobody}`, ...dieWithUs],
    identity: {},
  },
  {
    name: 'setpriv',
    uid: nobody,
    prefix: [
      ...['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'],
      // PostgreSQL checks its programs by access(2), which ignores capabilities without this bit.
      ...['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override'],
      ...['--ambient-caps=+dac_override', '--pdeathsig', 'INT'],
    ],
    identity: {},
  },
  { name: 'nobody', uid: nobody, prefix: [], identity: ids },
  { name: 'nobody-copy', uid: nobody, prefix: [], identity: ids, copies: true },
]

const userWays: readonly Way[] = [
  { name: 'setpriv', uid: undefined, prefix: dieWithUs, identity: {} },
  { name: 'plain', uid: undefined, prefix: [], identity: {} },
]

/** The ways to be tried on this machine, best first. */
export function waysOfThisMachine(): readonly Way[] {
  if (process.platform !== 'linux') return userWays.slice(1)
  return process.getuid?.() === 0 ? rootWays : userWays
}

/**
 * Chooses the first way in which PostgreSQL runs and can enter `folder`, which becomes its
 * property.
 *
 * @throws StartError with what each way was refused for
 */
export async function chooseAccount(
  binaries: Binaries,
  folder: string,
  ways: readonly Way[],
): Promise<Account> {
  const refusals: string[] = []
  for (const { name, copies, ...way } of ways) {
    if (way.uid !== undefined) await chown(folder, way.uid, way.uid)
    const account = {
      ...way,
      binaries: copies ? await copyBinaries(binaries, path.join(folder, 'binaries')) : binaries,
    }
    const refusal = process.platform === 'win32' ? undefined : tryOut(account, folder)
    if (refusal === undefined) return account
    refusals.push(`  ${name}: ${refusal}`)
  }
  throw new StartError(explain(folder, refusals))
}

/** @returns why the account cannot run PostgreSQL in the folder, or undefined when it can */
function tryOut(account: Account, folder: string): string | undefined {
  const script = 'cd "$1" && exec "$2" --version'
  const [command = '', ...args] = [
    ...account.prefix,
    ...['/bin/sh', '-c', script, 'sh', folder, account.binaries.postgres],
  ]
  const tried = spawnSync(command, args, { cwd: '/', encoding: 'utf8', ...account.identity })
  if (tried.status === 0) return undefined
  return tried.error?.message ?? (tried.stderr.trim() || `ended with ${tried.status}`)
}

function explain(folder: string, refusals: readonly string[]): string {
  const advice =
    process.platform === 'linux' && process.getuid?.() === 0
      ? `PostgreSQL does not run as root. Run this as an ordinary user; or allow \`unshare -U\` ` +
        `(util-linux); or put the data folder where user ${nobody} may enter it.`
      : process.getuid?.() === 0
        ? 'PostgreSQL does not run as root: run this as an ordinary user.'
        : 'If a library is missing, its install script did not run: `npx -y pnpm@12 rebuild`.'
  return [`PostgreSQL cannot run in ${folder}.`, ...refusals, advice].join('\n')
}
