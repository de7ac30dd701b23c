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

/** Whether the work waits for a lock: false when it ends without. */
export async function doesWait(sql: Sql, work: Promise<unknown>): Promise<boolean> {
  let isDone = false
  const done = () => (isDone = true)
  work.then(done, done)
  while (!isDone) if ((await sql(waiting))[0]?.['n'] === 1) return true
  return false
}
