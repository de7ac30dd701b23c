import { join } from 'node:path'
import {
  type Binaries,
  createDatabase,
  createLogin,
  type PostgresServer,
  startPostgres,
} from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import pg from 'pg'
import { temporaryFolder } from '../../run/temporary-folder.ts'

/** A migrated database. */
export type BenchDatabase = {
  readonly server: PostgresServer
  /** Login of the owner of the database. */
  readonly owner: string
  /** Login of a process. */
  readonly url: string
  /** The owner's connection. */
  readonly db: pg.Client
}

type ServerOptions = {
  /** The lines of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The server's programs; left out: those from npm. */
  readonly binaries?: Binaries | undefined
}

/** Runs a benchmark on a server with PostgreSQL's default durability, and removes the server. */
export async function withBenchServer<T>(
  run: (open: (name: string) => Promise<BenchDatabase>) => Promise<T>,
  { settings = {}, binaries }: ServerOptions = {},
): Promise<T> {
  await using folder = await temporaryFolder('bench')
  const dataDir = join(folder.path, 'data')
  const server = await startPostgres({ dataDir, durability: 'full', settings }, undefined, binaries)
  const databases: BenchDatabase[] = []
  const open = async (name: string): Promise<BenchDatabase> => {
    const database = await makeDatabase(server, name)
    databases.push(database)
    return database
  }
  try {
    return await run(open)
  } finally {
    await Promise.all(databases.map(({ db }) => db.end()))
    await server.stop()
  }
}

/** Runs a benchmark on one database of such a server. */
export const withBenchDatabase = <T>(
  run: (database: BenchDatabase) => Promise<T>,
  options: ServerOptions = {},
): Promise<T> => withBenchServer(async (open) => run(await open('quipu')), options)

async function makeDatabase(server: PostgresServer, name: string): Promise<BenchDatabase> {
  await createDatabase(server, name)
  const owner = server.urlFor(name)
  await migrate(owner)
  const url = await createLogin(owner, { name: 'quipu_app', memberOf: 'quipu_process' })
  const db = new pg.Client(owner)
  await db.connect()
  return { server, owner, url, db }
}
