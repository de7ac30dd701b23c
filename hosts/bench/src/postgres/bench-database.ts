import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createDatabase,
  createLogin,
  type Binaries,
  type PostgresServer,
  startPostgres,
} from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import pg from 'pg'

/** A migrated database on a server of its own. */
export type BenchDatabase = {
  readonly server: PostgresServer
  /** Login of the owner of the database. */
  readonly owner: string
  /** Login of a process. */
  readonly url: string
  /** The owner's connection. */
  readonly db: pg.Client
}

/**
 * Runs a benchmark on a server with PostgreSQL's default durability, and removes the server.
 *
 * @param settings of `postgresql.conf`
 * @param binaries the server's programs, instead of those from npm
 */
export async function withBenchDatabase<T>(
  run: (database: BenchDatabase) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
  binaries?: Binaries,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quipu-bench-'))
  const server = await startPostgres({ dataDir, durability: 'full', settings }, undefined, binaries)
  try {
    await createDatabase(server, 'quipu')
    const owner = server.urlFor('quipu')
    await migrate(owner)
    const url = await createLogin(owner, { name: 'quipu_app', memberOf: 'quipu_process' })
    const db = new pg.Client(owner)
    await db.connect()
    try {
      return await run({ server, owner, url, db })
    } finally {
      await db.end()
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
