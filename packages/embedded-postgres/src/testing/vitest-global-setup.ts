import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { layoutOf } from '../cluster/cluster.ts'
import { findAbandoned, makeOwnFolder, removeFolder } from '../cluster/own-folder.ts'
import { startPostgres, type PostgresServer } from '../server/server.ts'
import { removeRecordedSocketFolder } from '../server/socket-folder.ts'

// Autovacuum would start a process in each of hundreds of databases, again and again.
const settings = { shared_buffers: '64MB', max_connections: '300', autovacuum: 'off' }
const roomNeededBytes = 2 ** 30

/**
 * Provides one PostgreSQL for a whole Vitest run, started when the first test needs it.
 *
 * Workers end before the run does, so this process starts the server: it listens on a port, and sends the URL
 * to each worker that connects.
 *
 * @returns the teardown, which stops the server and removes its folder
 */
export async function setup(project: Pick<TestProject, 'provide' | 'onTestsRerun'>): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined
  const stop = async () => {
    const server = await started?.catch(() => undefined)
    started = undefined
    await server?.stop()
    if (server) await removeFolder(server.dataDir)
  }
  const listener = createServer((socket) => {
    socket.on('error', () => {}) // a worker may end before its answer
    started ??= startInTemporaryFolder()
    started.then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    )
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')

  project.provide('embeddedPostgresPort', address.port)
  project.onTestsRerun(stop) // templates would keep the old migrations
  return async () => {
    listener.close()
    await stop()
  }
}

async function startInTemporaryFolder(): Promise<PostgresServer> {
  const prefix = path.join(await temporaryFolder(), 'quipu-test')
  for (const folder of await findAbandoned(prefix)) {
    await removeRecordedSocketFolder(layoutOf(folder))
    await removeFolder(folder).catch(() => {}) // it may be another user's
  }
  return startPostgres({ dataDir: await makeOwnFolder(prefix), durability: 'none', settings })
}

/** A folder in memory if that has enough space; containers often have only 64 MB. */
async function temporaryFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize >= roomNeededBytes ? '/dev/shm' : tmpdir()
}
