import pg from 'pg'
import { type Sql, sqlOf } from './stores.fixture.ts'

/** A session with an open transaction, whose locks others wait for. */
export type OpenTransaction = {
  readonly sql: Sql
  /** Commits and ends the session. */
  commit(): Promise<void>
}

export async function openTransaction(url: string): Promise<OpenTransaction> {
  const client = new pg.Client(url)
  // A test that fails leaves the session open when it drops the database.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  return {
    sql: sqlOf(client),
    commit: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

const waiting = `
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/**
 * Resolves when a session of the database waits for a lock, or when the call that should wait has ended.
 *
 * @returns whether one waits
 */
export async function untilBlocked(sql: Sql, call: Promise<unknown>): Promise<boolean> {
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  call.then(end, end)
  while (!hasEnded && (await sql(waiting)).length === 0);
  return !hasEnded
}
