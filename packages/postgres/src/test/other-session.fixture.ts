import pg from 'pg'
import { type Sql, sqlOf } from './stores.fixture.ts'

/** A superuser's session beside the stores, in a transaction that holds locks while a test observes who waits. */
export type OtherSession = AsyncDisposable & { readonly sql: Sql }

/**
 * Opens a session. A statement of it that waits for a lock for five seconds fails, so that a test of what must not
 * wait ends.
 */
export async function openOtherSession(url: string): Promise<OtherSession> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`set lock_timeout = '5s'`)
  return { sql: sqlOf(client), [Symbol.asyncDispose]: () => client.end() }
}

/**
 * Returns once this many sessions of the database wait for a lock.
 *
 * @param work what waits
 * @throws Error when any of it ends without waiting
 */
export async function untilWaiting(
  sql: Sql,
  count: number,
  ...work: readonly Promise<unknown>[]
): Promise<void> {
  let hasEnded = false
  const end = () => void (hasEnded = true)
  for (const each of work) each.then(end, end)
  const waiting = `
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await sql(waiting)).length !== count)
    if (hasEnded) throw new Error('a statement ended that was to wait for a lock')
}
