import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import type { Way } from '../cluster/account.ts'
import type { Binaries } from '../cluster/binaries.ts'
import { layoutOf } from '../cluster/cluster.ts'
import { withClient } from './database.ts'
import { startPostgres, type PostgresOptions, type PostgresServer } from './server.ts'
import { removeRecordedSocketFolder } from './socket-folder.ts'

/** A data folder that does not exist yet, in a folder of its own that the test's end removes. */
export async function newDataDir(parent: string = tmpdir()): Promise<string> {
  const dataDir = await makeDataDir(parent)
  onTestFinished(() => removeDataDir(dataDir))
  return dataDir
}

/** A data folder for the tests of a file that need no fresh one, since to make one takes longest. */
export async function sharedDataDir(): Promise<string> {
  const dataDir = await makeDataDir(tmpdir())
  afterAll(() => removeDataDir(dataDir))
  return dataDir
}

async function makeDataDir(parent: string): Promise<string> {
  const folder = await mkdtemp(path.join(parent, 'launcher-test-'))
  await chmod(folder, 0o755) // So that every way to run PostgreSQL can be tried.
  return path.join(folder, 'data')
}

async function removeDataDir(dataDir: string): Promise<void> {
  await removeRecordedSocketFolder(layoutOf(dataDir))
  await rm(path.dirname(dataDir), { recursive: true, force: true, maxRetries: 20 })
}

/** A server that is stopped when the test ends. */
export async function start(
  options: Partial<PostgresOptions> & Pick<PostgresOptions, 'dataDir'>,
  ways?: readonly Way[],
  binaries?: Binaries,
): Promise<PostgresServer> {
  const server = await startPostgres({ durability: 'none', ...options }, ways, binaries)
  onTestFinished(() => server.stop())
  return server
}

/** The first value of a query's first row. */
export async function ask(url: string, text: string): Promise<unknown> {
  const { rows } = await withClient(url, (client) =>
    client.query<unknown[]>({ text, rowMode: 'array' }),
  )
  return rows[0]?.[0]
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(5)
}

export type Owner = {
  /** Waits until the server answers. */
  ready(): Promise<{ readonly pid: number; readonly url: string }>
  /** Kills it as `kill -9` does, and waits until it is dead. */
  kill(): Promise<void>
}

/**
 * A process of its own that starts a server; it is killed at the latest when the test ends.
 *
 * @param way  the one to start PostgreSQL in, else the best
 * @param uid  the user that root's process becomes before it starts PostgreSQL, else nobody else
 */
export function spawnOwner(dataDir: string, way?: string, uid?: number): Owner {
  const script = fileURLToPath(new URL('start-server.fixture.ts', import.meta.url))
  const options = [...(way ? [`--way=${way}`] : []), ...(uid ? [`--uid=${uid}`] : [])]
  const owner = spawn(process.execPath, [script, dataDir, ...options], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
  throw new Error(`The owner of the server ended: ${complaint}`)
}
