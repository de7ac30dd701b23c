import { createDatabase, startPostgres } from '@quipu/embedded-postgres'
import { migrateWithOperators, readDocument } from '@quipu/local/testing'
import { runSql } from './run-sql.ts'

/** The name of the database of every system. */
export const database = 'quipu'

/** The statements of docs/operations/database.md that create the role of the processes. */
export const grants =
  readDocument('docs/operations/database.md').blocks.find(({ language }) => language === 'sql')?.text ?? ''

/**
 * Creates a migrated database with the process role of docs/operations/database.md.
 *
 * @param migrateDatabase  also issues the operators' tokens of the tests
 */
export async function makeTemplate(
  folder: string,
  migrateDatabase: (url: string) => Promise<void> = migrateWithOperators,
): Promise<void> {
  const server = await startPostgres({ dataDir: folder, durability: 'none' })
  await createDatabase(server, database)
  const url = server.urlFor(database)
  await migrateDatabase(url)
  await runSql(url, grants)
  await server.stop()
}
