import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { askJson } from '../../ask-json.ts'
import { type LocalFile, readLocalFile } from '../../start/data-folder/local-file.ts'
import { portCount, portsFrom, refuseTakenPorts } from '../../start/ports.ts'
import { type Program, run, until } from './process.fixture.ts'

/** A data folder and ports for repeated runs of `start`. */
export type StartHarness = AsyncDisposable & {
  readonly dataDir: string
  readonly env: Record<string, string>
  readonly base: number
  /** Runs `start` without waiting. */
  start(env?: Record<string, string>, args?: string[]): Program
  /** Runs `start` and waits until it is ready. */
  started(...args: string[]): Promise<Program>
  local(): Promise<LocalFile>
  /** The pid of the PostgreSQL that runs on the folder. */
  postgresPid(): Promise<number>
}

/** `CELL=g npx -y pnpm@12 test hosts/local` runs the suites over an installation with a letter. */
const cellEnv = process.env['CELL'] === undefined ? {} : { CELL: process.env['CELL'] }

/** @param more  settings of every run */
export async function openStartHarness(more: Record<string, string> = {}): Promise<StartHarness> {
  const resources = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-start-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }))
  const { base, reservation } = await reserveBase()
  resources.defer(() => void reservation.close())
  const env = { QUIPU_DATA_DIR: dataDir, QUIPU_PORT_BASE: String(base), QUIPU_BLOCK_MS: '200', ...cellEnv, ...more }
  const start: StartHarness['start'] = (own = {}, args = []) =>
    resources.adopt(run('local/src/main.ts', { ...env, ...own }, args), async (program) => {
      program.signal('SIGTERM') // SIGKILL would leave an adopted PostgreSQL running.
      await program.ended
    })
  return {
    dataDir,
    env,
    base,
    start,
    async started(...args) {
      const program = start({}, args)
      await program.untilOutput(/To stop: /)
      return program
    },
    async local() {
      const file = await readLocalFile(dataDir)
      if (!file) throw new Error('local.json is missing')
      return file
    },
    async postgresPid() {
      const file = path.join(dataDir, 'postgres', '18', 'cluster', 'postmaster.pid')
      return Number.parseInt(await readFile(file, 'utf8'), 10)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/**
 * The first of a range of free ports, below the ephemeral port range. A listener on the port behind the range keeps it
 * from harnesses of other processes while no program listens on it.
 */
async function reserveBase(): Promise<{ readonly base: number; readonly reservation: Server }> {
  return until('a range of free ports', async () => {
    const base = 20_000 + (portCount + 1) * Math.floor(Math.random() * 900)
    const reservation = createServer().listen(base + portCount, '127.0.0.1')
    try {
      await once(reservation, 'listening')
      await refuseTakenPorts(Object.values(portsFrom(base)))
      return { base, reservation }
    } catch {
      reservation.close()
      return undefined
    }
  })
}

/** Whether a process runs. A zombie has no command line. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

/** The demo tenant's balance, from the API. */
export async function available({ base_url, api_key }: LocalFile): Promise<string> {
  const headers = { 'x-api-key': api_key }
  const { json } = await askJson(base_url, { method: 'GET', path: '/v1/wallets', headers })
  return (json as { available: string }).available
}

/** All tenants, from the operator API. */
export async function tenants({ operator_url, operator_token }: LocalFile): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${operator_token}` }
  const request = { method: 'GET', path: '/operator/v1/tenants', headers }
  return ((await askJson(operator_url, request)).json as { data: unknown[] }).data
}
