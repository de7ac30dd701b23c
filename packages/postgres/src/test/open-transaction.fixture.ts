import pg from 'pg'
import { type Sql, sqlOf } from './stores.fixture.ts'

/** A transaction that stays open. */
export type OpenTransaction = {
  readonly sql: Sql
  /** Commits it. */
  commit(): Promise<void>
}

export async function openTransaction(url: string): Promise<OpenTransaction> {
  const client = new pg.Client(url)
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
  select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** Resolves when the work waits for a lock, or has ended without. */
export async function untilWaiting(sql: Sql, work: Promise<unknown>): Promise<void> {
  let isDone = false
  const done = () => (isDone = true)
  work.then(done, done)
  while (!isDone && (await sql(waiting))[0]?.['n'] !== 1);
}
