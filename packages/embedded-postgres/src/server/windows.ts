import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Binaries } from '../cluster/binaries.ts'
import { cleanEnvironment, type Layout, type Settings } from '../cluster/cluster.ts'
import { readPostmaster, type Postmaster } from './postmaster-file.ts'
import { StartError } from '../cluster/start-error.ts'

// On Windows every signal kills, and postgres.exe refuses to run as an administrator. pg_ctl can stop a
// server cleanly, and drops an administrator's rights.

export async function startOnWindows(layout: Layout, binaries: Binaries, settings: Settings): Promise<Postmaster> {
  const options = settings.map(([name, value]) => `-c ${quote(`${name}=${value}`)}`).join(' ')
  const code = await pgCtl(layout, binaries, ['start', '-t', '120', '-l', layout.log, '-o', options])
  const found = await readPostmaster(layout.cluster)
  if (code === 0 && found) return found
  const log = await readFile(layout.log, 'utf8').catch(() => '')
  throw new StartError(`PostgreSQL did not start: exit code ${code} of pg_ctl.\n${log.slice(-2000)}`)
}

export async function stopOnWindows(layout: Layout, binaries: Binaries): Promise<void> {
  const code = await pgCtl(layout, binaries, ['stop', '-t', '30', '-m', 'fast'])
  if (code !== 0) await pgCtl(layout, binaries, ['stop', '-m', 'immediate'])
}

async function pgCtl(layout: Layout, binaries: Binaries, args: string[]): Promise<number | null> {
  const [verb = '', ...options] = args
  const child = spawn(binaries.pgCtl, [verb, '-w', '-D', layout.cluster, ...options], {
    env: cleanEnvironment(),
    stdio: 'ignore', // the server would keep a pipe open
    windowsHide: true,
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/** Quotes an argument for cmd.exe, which pg_ctl calls and which cannot escape a quote. */
function quote(argument: string): string {
  if (/["\r\n]/.test(argument)) throw new StartError(`A setting cannot contain a quote or a line break: ${argument}`)
  return `"${argument}"`
}
