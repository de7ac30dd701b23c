import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** The variable with the path of a file of SQL, which mutation testing replaces before each run. */
const variable = 'QUIPU_SQL_MUTANT'

/**
 * Replaces the function that is mutated, in a database of a test. Ends statements of the database after 10 s, as the
 * change may let a loop run for ever. Does nothing in an ordinary run.
 */
export async function applySqlMutant(url: string): Promise<void> {
  const file = process.env[variable]
  if (file === undefined || !existsSync(file)) return
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(readFileSync(file, 'utf8'))
    // The server does not end a loop when its client is gone.
    const database = pg.escapeIdentifier(client.database ?? '')
    await client.query(`alter database ${database} set statement_timeout = '10s'`)
  } finally {
    await client.end()
  }
}
