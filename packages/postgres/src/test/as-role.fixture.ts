import pg from 'pg'
import { type Sql, sqlOf } from './stores.fixture.ts'

/** Runs statements as the role of the URL, on a connection of their own. */
export async function asRole<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(sqlOf(client))
  } finally {
    await client.end()
  }
}
