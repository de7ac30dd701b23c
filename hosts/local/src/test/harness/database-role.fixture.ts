import { testCluster, testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { readDocument } from '../documents/documents.fixture.ts'
import { migrateWithOperators } from './tenant.fixture.ts'

const grants = readDocument('docs/operations/database.md').blocks.find(({ language }) => language === 'sql')

/** A migrated database with the process role that docs/operations/database.md creates. */
export type RoleDatabase = AsyncDisposable & {
  /** For the superuser. */
  readonly url: string
  /** For the process role. */
  readonly roleUrl: string
  /** Runs a statement as the superuser. */
  asOwner(sql: string): Promise<Record<string, unknown>[]>
  /** Runs a statement as the process role. */
  asRole(sql: string): Promise<Record<string, unknown>[]>
}

const migrated = { templateName: 'quipu_local', migrate: migrateWithOperators }

export async function roleDatabase(): Promise<RoleDatabase> {
  const { url, drop } = await testDatabase(migrated)
  const roleUrl = asApp(url)
  await query(url, grants?.text ?? '').catch((error: unknown) => {
    // The databases of a test run share their server's roles.
    const exists = error instanceof pg.DatabaseError && ['42710', '23505'].includes(error.code ?? '')
    if (!exists) throw error
  })
  return {
    url,
    roleUrl,
    asOwner: (sql) => query(url, sql),
    asRole: (sql) => query(roleUrl, sql),
    [Symbol.asyncDispose]: drop,
  }
}

/** The folder of a stopped server with the same database under the name `quipu`, for tests that start copies of it. */
export const migratedCluster = (): Promise<string> => testCluster(migrated)

/** Lets payments begin on a copy of that server: a process cannot know that it is none of an older disk. */
export const beginPayments = (url: string): Promise<unknown> =>
  query(url, 'select quipu.accept_server(pg_postmaster_start_time())')

function asApp(url: string): string {
  const changed = new URL(url)
  changed.username = 'quipu_app'
  changed.password = 'choose one'
  return changed.href
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
