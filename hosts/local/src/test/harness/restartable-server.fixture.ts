import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type PostgresServer, startPostgres } from '@quipu/embedded-postgres'
import { freePorts } from '../../start/ports.ts'

/** A PostgreSQL that restarts on the same port. */
export async function restartableServer() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-gone-'))
  const { postgres: port } = await freePorts()
  let server: PostgresServer | undefined
  const start = async (): Promise<string> => {
    server = await startPostgres({ dataDir, durability: 'none', port })
    return server.url
  }
  const stop = async (): Promise<void> => server?.stop()
  return {
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
