import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** The variable with the path of a file of SQL, which mutation testing replaces before each run. */
const variable = 'QUIPU_SQL_MUTANT'

/** Replaces the function that is mutated, in a database of a test. Does nothing in an ordinary run. */
export async function applySqlMutant(url: string): Promise<void> {
  const file = process.env[variable]
  if (file === undefined || !existsSync(file)) return
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(readFileSync(file, 'utf8'))
  } finally {
    await client.end()
  }
}
