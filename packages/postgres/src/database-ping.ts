import { Unavailable } from '@quipu/core'
import pg from 'pg'
import { type Database, openDatabase, type Statement } from './database.ts'
import { migrationNames } from './migrate.ts'

/** The database is not what this release is made for: it has to be migrated first. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated'
}

const ping: Statement = { name: 'ping', text: 'select' }

const seenMigrations: Statement = {
  name: 'ping.migrations',
  text: 'select name from quipu.migration',
}

/**
 * To be asked by a program before it begins.
 *
 * A database that does not answer is let pass: it may come back, and `ping` says when.
 *
 * @throws NotMigrated
 */
export async function refuseUnmigrated(url: string | pg.ClientConfig): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 })
  try {
    await databasePing(database)()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
  } finally {
    await database.close()
  }
}

/** Looks for migrations until they were all there once: they are never taken back. */
export function databasePing(database: Database): () => Promise<void> {
  let isMigrated = false
  return async () => {
    if (isMigrated) {
      await database.query(ping, [])
      return
    }
    const seen = new Set(await seenIn(database))
    const missing = (await migrationNames()).filter((name) => !seen.has(name))
    if (missing.length > 0)
      throw new NotMigrated(`the database lacks ${missing.join(', ')}: migrate it first`)
    isMigrated = true
  }
}

async function seenIn(database: Database): Promise<readonly string[]> {
  try {
    const rows = await database.query<{ name: string }>(seenMigrations, [])
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isNew(error)) return []
    throw error
  }
}

/** There is no such schema or table: it was never migrated. */
const isNew = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['3F000', '42P01'].includes(error.code ?? '')
