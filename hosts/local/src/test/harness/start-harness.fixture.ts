import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { askJson } from '../../ask-json.ts'
import { type LocalFile, readLocalFile } from '../../start/data-folder/local-file.ts'
import { portsFrom, refuseTakenPorts } from '../../start/ports.ts'
import { type Program, run, until } from './process.fixture.ts'

/** A data folder and ports that `start` can be run on again and again. */
export type Home = AsyncDisposable & {
  readonly dataDir: string
  readonly env: Record<string, string>
  readonly base: number
  /** Runs `start`, which may fail. */
  start(env?: Record<string, string>, args?: string[]): Program
  /** Runs `start` and waits until it is ready. */
  started(...args: string[]): Promise<Program>
  local(): Promise<LocalFile>
  /** The process number of the PostgreSQL that runs here now. */
  postgresPid(): Promise<number>
}

export async function openHome(): Promise<Home> {
  const things = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-start-'))
  things.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }))
  const base = await freeBase()
  const env = { QUIPU_DATA_DIR: dataDir, QUIPU_PORT_BASE: String(base), QUIPU_BLOCK_MS: '200' }
  const start: Home['start'] = (more = {}, args = []) =>
    things.adopt(run('local/src/main.ts', { ...env, ...more }, args), async (program) => {
      program.signal('SIGTERM') // Not killed: a PostgreSQL that it took over would live on.
      await program.ended
    })
  return {
    dataDir,
    env,
    base,
    start,
    async started(...args) {
      const program = start({}, args)
      await program.says(/To stop: /)
      return program
    },
    async local() {
      const file = await readLocalFile(dataDir)
      if (!file) throw new Error('there is no local.json')
      return file
    },
    async postgresPid() {
      const file = path.join(dataDir, 'postgres', '18', 'cluster', 'postmaster.pid')
      return Number.parseInt(await readFile(file, 'utf8'), 10)
    },
    [Symbol.asyncDispose]: () => things.disposeAsync(),
  }
}

/** The first of ports in a row that are free, outside of those given out by themselves. */
function freeBase(): Promise<number> {
  return until('free ports in a row', async () => {
    const base = 20_000 + 10 * Math.floor(Math.random() * 1_000)
    return refuseTakenPorts(Object.values(portsFrom(base))).then(
      () => base,
      () => undefined,
    )
  })
}

/** Whether a process runs. One that has ended and is not buried yet has no command line. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

/** What the demo tenant can spend, as its API says. */
export async function available({ base_url, api_key }: LocalFile): Promise<string> {
  const headers = { 'x-api-key': api_key }
  const { json } = await askJson(base_url, { method: 'GET', path: '/v1/wallets', headers })
  return (json as { available: string }).available
}

/** The tenants that there are, as the operator sees them. */
export async function tenants({ operator_url, operator_token }: LocalFile): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${operator_token}` }
  const request = { method: 'GET', path: '/operator/v1/tenants', headers }
  return ((await askJson(operator_url, request)).json as { data: unknown[] }).data
}
