import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Binaries } from '../cluster/binaries.ts'
import { cleanEnvironment, type Layout, type Settings } from '../cluster/cluster.ts'
import { readPostmaster, type Postmaster } from './postmaster-file.ts'
import { StartError } from '../cluster/start-error.ts'

// On Windows a signal is a kill, and postgres.exe refuses an administrator: pg_ctl knows how to
// ask a server to end, and how to drop an administrator's rights.

export async function startOnWindows(
  layout: Layout,
  binaries: Binaries,
  settings: Settings,
): Promise<Postmaster> {
  const options = settings.map(([name, value]) => `-c ${quote(`${name}=${value}`)}`).join(' ')
  const code = await pgCtl(layout, binaries, [
    'start',
    '-t',
    '120',
    '-l',
    layout.log,
    '-o',
    options,
  ])
  const found = await readPostmaster(layout.cluster)
  if (code === 0 && found) return found
  const log = await readFile(layout.log, 'utf8').catch(() => '')
  throw new StartError(`PostgreSQL did not start: pg_ctl ended with ${code}.\n${log.slice(-2000)}`)
}

export async function stopOnWindows(layout: Layout, binaries: Binaries): Promise<void> {
  const code = await pgCtl(layout, binaries, ['stop', '-t', '30', '-m', 'fast'])
  if (code !== 0) await pgCtl(layout, binaries, ['stop', '-m', 'immediate'])
}

async function pgCtl(layout: Layout, binaries: Binaries, args: string[]): Promise<number | null> {
  const [verb = '', ...options] = args
  const child = spawn(binaries.pgCtl, [verb, '-w', '-D', layout.cluster, ...options], {
    env: cleanEnvironment(),
    stdio: 'ignore', // The server would keep a pipe open.
    windowsHide: true,
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/** For the command line that pg_ctl hands to cmd.exe, which has no way to quote a quote. */
function quote(argument: string): string {
  if (/["\r\n]/.test(argument)) throw new StartError(`A setting cannot hold a quote: ${argument}`)
  return `"${argument}"`
}
