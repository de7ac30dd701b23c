import pg from 'pg'
import { withConnection } from '../connection/connection.ts'
import { readMigrations } from './migrate.ts'

/** A migration, and how the database stands to it. */
export type MigrationState = {
  readonly name: string
  /**
   * `changed`: the file differs from the one that was run, and `migrate` refuses it. `later`: a newer release
   * has run it, and this one has no such file.
   */
  readonly state: 'run' | 'missing' | 'changed' | 'later'
  readonly runAt: Date | null
}

type Row = { readonly name: string; readonly checksum: string; readonly run_at: Date }

/**
 * Compares the migrations of this release with those that the database has run. Writes nothing.
 *
 * @returns in the order in which they run
 * @throws Error when the database does not answer
 */
export async function migrationStates(connection: string | pg.ClientConfig): Promise<readonly MigrationState[]> {
  const seen = await withConnection(connection, seenIn)
  const files = await readMigrations()
  const ours = files.map(({ name, checksum }): MigrationState => {
    const row = seen.find((each) => each.name === name)
    if (row === undefined) return { name, state: 'missing', runAt: null }
    return { name, state: row.checksum === checksum ? 'run' : 'changed', runAt: row.run_at }
  })
  const later = seen
    .filter(({ name }) => !files.some((file) => file.name === name))
    .map(({ name, run_at: runAt }): MigrationState => ({ name, state: 'later', runAt }))
  return [...ours, ...later]
}

async function seenIn(client: pg.Client): Promise<readonly Row[]> {
  try {
    const { rows } = await client.query<Row>('select name, checksum, run_at from quipu.migration order by name')
    return rows
  } catch (error) {
    // The schema or table does not exist, as in a database that was never migrated.
    if (error instanceof pg.DatabaseError && ['3F000', '42P01'].includes(error.code ?? '')) return []
    throw error
  }
}
