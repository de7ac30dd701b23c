import { spawn, type ChildProcess } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from '../cluster/account.ts'
import type { Binaries } from '../cluster/binaries.ts'
import { cleanEnvironment, type Layout, type Settings } from '../cluster/cluster.ts'
import { isRunning } from '../cluster/own-folder.ts'
import { disownPostmasterFile, isServing, readPostmaster, type Postmaster } from './postmaster-file.ts'
import { StartError } from '../cluster/start-error.ts'
import { startOnWindows, stopOnWindows } from './windows.ts'

const pollMilliseconds = 10
const startMilliseconds = 120_000
const fastStopMilliseconds = 30_000

/** Finds the server that an earlier run left on this cluster. Waits while it starts or stops. */
export async function findLeftover({ cluster }: Layout): Promise<Postmaster | undefined> {
  const deadline = Date.now() + startMilliseconds
  for (;;) {
    const found = await readPostmaster(cluster)
    if (!found) return undefined
    if (!isServing(found.pid, cluster)) {
      if (isRunning(found.pid)) await disownPostmasterFile(cluster, found.pid)
      return undefined
    }
    if (found.status === 'ready') return found
    if (Date.now() > deadline) {
      throw new StartError(
        `The PostgreSQL in ${cluster} (process ${found.pid}) has had the status ${found.status || 'unknown'} ` +
          `for ${startMilliseconds / 1000} s: end the process, or wait and try again.`,
      )
    }
    await delay(pollMilliseconds)
  }
}

/**
 * Starts a server on a cluster, and waits until it accepts connections.
 *
 * On Linux the server ends when the calling thread ends, for any reason.
 *
 * @param settings of `postgresql.conf`; the last value of a name counts
 * @throws StartError with the end of the server's log when it does not start
 */
export async function startPostmaster(layout: Layout, account: Account, settings: Settings): Promise<Postmaster> {
  if (process.platform === 'win32') return startOnWindows(layout, account.binaries, settings)
  await using log = await open(layout.log, 'w')
  const [command = '', ...args] = [
    ...account.prefix,
    account.binaries.postgres,
    '-D',
    layout.cluster,
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  // In a session of its own, as Ctrl-C in the terminal would otherwise stop it before this process.
  const child = spawn(command, args, {
    cwd: '/',
    env: cleanEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...account.identity,
  })
  child.unref()
  return await awaitReady(layout, child)
}

async function awaitReady(layout: Layout, child: ChildProcess): Promise<Postmaster> {
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  child.once('exit', (code, signal) => (failure = `it ended with ${signal ?? code}`))
  const deadline = Date.now() + startMilliseconds
  while (failure === undefined && Date.now() < deadline) {
    const found = await readPostmaster(layout.cluster)
    if (found?.pid === child.pid && found?.status === 'ready') return found
    await delay(pollMilliseconds)
  }
  child.kill('SIGINT')
  failure ??= `no answer in ${startMilliseconds / 1000} s`
  throw new StartError(`PostgreSQL did not start: ${failure}.\n${await endOfLog(layout)}`)
}

/** Stops the server: a fast shutdown, and after 30 s an immediate one. */
export async function stopPostmaster(pid: number, layout: Layout, binaries: Binaries): Promise<void> {
  if (!isServing(pid, layout.cluster)) return
  if (process.platform === 'win32') return stopOnWindows(layout, binaries)
  signal(pid, 'SIGINT')
  let deadline = Date.now() + fastStopMilliseconds
  while (isServing(pid, layout.cluster)) {
    await delay(pollMilliseconds)
    if (Date.now() < deadline) continue
    signal(pid, 'SIGQUIT') // immediate shutdown: the next start recovers
    deadline = Infinity
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (isRunning(pid)) throw error // else it has ended by itself
  }
}

async function endOfLog({ log }: Layout): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).trimEnd().split('\n')
  return lines.slice(-20).join('\n')
}
