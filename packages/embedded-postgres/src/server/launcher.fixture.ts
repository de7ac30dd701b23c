import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import type { LaunchMethod } from '../cluster/account.ts'
import type { Binaries } from '../cluster/binaries.ts'
import { layoutOf } from '../cluster/cluster.ts'
import { withClient } from './database.ts'
import { startPostgres, type PostgresOptions, type PostgresServer } from './server.ts'
import { removeRecordedSocketFolder } from './socket-folder.ts'

/** The path of a new data folder, in a folder that is removed when the test ends. */
export async function newDataDir(parent: string = tmpdir()): Promise<string> {
  const dataDir = await makeDataDir(parent)
  onTestFinished(() => removeDataDir(dataDir))
  return dataDir
}

/** A data folder that tests of a file share, as creating a cluster takes the longest. */
export async function sharedDataDir(): Promise<string> {
  const dataDir = await makeDataDir(tmpdir())
  afterAll(() => removeDataDir(dataDir))
  return dataDir
}

async function makeDataDir(parent: string): Promise<string> {
  const folder = await mkdtemp(path.join(parent, 'launcher-test-'))
  await chmod(folder, 0o755) // for every method of running PostgreSQL
  return path.join(folder, 'data')
}

async function removeDataDir(dataDir: string): Promise<void> {
  await removeRecordedSocketFolder(layoutOf(dataDir))
  await rm(path.dirname(dataDir), { recursive: true, force: true, maxRetries: 20 })
}

/** Starts a server, and stops it when the test ends. */
export async function start(
  options: Partial<PostgresOptions> & Pick<PostgresOptions, 'dataDir'>,
  methods?: readonly LaunchMethod[],
  binaries?: Binaries,
): Promise<PostgresServer> {
  const server = await startPostgres({ durability: 'none', ...options }, methods, binaries)
  onTestFinished(() => server.stop())
  return server
}

/** The first value of a query's first row. */
export async function ask(url: string, text: string): Promise<unknown> {
  const { rows } = await withClient(url, (client) => client.query<unknown[]>({ text, rowMode: 'array' }))
  return rows[0]?.[0]
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(5)
}

export type Owner = {
  /** Resolves when the server answers. */
  ready(): Promise<{ readonly pid: number; readonly url: string }>
  /** Kills the process by SIGKILL, and waits until it has ended. */
  kill(): Promise<void>
}

/**
 * Starts a process that starts a server. It is killed when the test ends, if not before.
 *
 * @param method how to run PostgreSQL; the best method by default
 * @param uid the user as which a process of root starts PostgreSQL; root by default
 */
export function spawnOwner(dataDir: string, method?: string, uid?: number): Owner {
  const script = fileURLToPath(new URL('start-server.fixture.ts', import.meta.url))
  const options = [...(method ? [`--method=${method}`] : []), ...(uid ? [`--uid=${uid}`] : [])]
  const owner = spawn(process.execPath, [script, dataDir, ...options], { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(owner, 'exit')
  const kill = async () => {
    owner.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return { ready: () => readServer(owner), kill }
}

async function readServer(owner: ChildProcess): Promise<{ pid: number; url: string }> {
  let complaint = ''
  owner.stderr?.on('data', (chunk) => (complaint += String(chunk)))
  for await (const line of owner.stdout ?? []) {
    return JSON.parse(String(line)) as { pid: number; url: string }
  }
  throw new Error(`The process that owns the server has ended: ${complaint}`)
}
