import { execFile } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs pgbench with these arguments against the database. @returns its report */
export type Pgbench = (...args: readonly string[]) => Promise<string>

/**
 * Finds pgbench on the PATH, or where Debian installs it.
 *
 * @param settings  settings of its sessions, as `-c name=value`
 * @throws when pgbench is missing; the message says how to install it
 */
export async function findPgbench(url: string, settings: string = ''): Promise<Pgbench> {
  const env = { ...process.env, PGOPTIONS: settings }
  const installed = '/usr/lib/postgresql'
  const versions = await readdir(installed).catch(() => [])
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions
      .toSorted((a, b) => Number(b) - Number(a))
      .toReversed()
      .map((version) => join(installed, version, 'bin')),
  ]
  for (const folder of folders) {
    const path = join(folder, 'pgbench')
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return async (...args) => (await run(path, [...args, url], { env })).stdout
  }
  throw new Error(
    'pgbench is missing, which measures the baseline. Install it with PostgreSQL: ' +
      '`apt-get install postgresql-contrib` (Debian, Ubuntu), `brew install postgresql@18` (macOS).',
  )
}

/** Transactions per second, as pgbench reports them. */
export const tps = (report: string): number => reported(report, /tps = ([\d.]+)/)

/** The number of transactions, as pgbench reports it. */
export const transactions = (report: string): number =>
  reported(report, /number of transactions actually processed: (\d+)/)

function reported(report: string, pattern: RegExp): number {
  const [, value] = pattern.exec(report) ?? []
  if (value === undefined) throw new Error(`the report of pgbench has no ${pattern.source}:\n${report}`)
  return Number(value)
}
