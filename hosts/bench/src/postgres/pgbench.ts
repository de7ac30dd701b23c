import { execFile } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs pgbench with these arguments against the database and gives its report. */
export type Pgbench = (...args: readonly string[]) => Promise<string>

/**
 * Finds pgbench on the PATH or where Debian puts it.
 *
 * @param settings  what its sessions start with, as `-c name=value`
 * @throws with the ways to get one, when there is none
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
    'pgbench is missing: it measures the baseline. It comes with PostgreSQL: ' +
      '`apt-get install postgresql-contrib` (Debian, Ubuntu), `brew install postgresql@18` (macOS).',
  )
}

/** Transactions per second, as pgbench reports them. */
export const tps = (report: string): number => reported(report, /tps = ([\d.]+)/)

/** How many transactions pgbench reports. */
export const transactions = (report: string): number =>
  reported(report, /number of transactions actually processed: (\d+)/)

function reported(report: string, figure: RegExp): number {
  const [, value] = figure.exec(report) ?? []
  if (value === undefined) throw new Error(`pgbench did not report its speed:\n${report}`)
  return Number(value)
}
