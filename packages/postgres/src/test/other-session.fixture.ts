import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { type Sql, sqlOf, testClient } from './stores.fixture.ts'

/** A superuser's session beside the stores. */
export type OtherSession = AsyncDisposable & { readonly sql: Sql }

export async function openOtherSession(url: string): Promise<OtherSession> {
  const client = await connected(url)
  return { sql: sqlOf(client), [Symbol.asyncDispose]: () => client.end() }
}

/** A session with an open transaction, whose locks others wait for. The end of the test ends it. */
export type OpenTransaction = {
  readonly sql: Sql
  /** Commits and ends the session. */
  commit(): Promise<void>
}

export async function openTransaction(url: string): Promise<OpenTransaction> {
  const client = await connected(url)
  onTestFinished(() => client.end())
  await client.query('begin')
  return {
    sql: sqlOf(client),
    commit: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = testClient(url)
  // A test that fails leaves the session open when it drops the database.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** A transaction sees the sessions of its first look, until it forgets them. */
const forget = 'select pg_stat_clear_snapshot()'
const waiting = `
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** @returns true once at least this many sessions of the database wait for a lock; false once any of the work has ended */
async function doWait(sql: Sql, count: number, work: readonly Promise<unknown>[]): Promise<boolean> {
  let hasEnded = false
  const end = () => void (hasEnded = true)
  for (const each of work) each.then(end, end)
  do await sql(forget)
  while (!hasEnded && (await sql(waiting)).length < count)
  return !hasEnded
}

/** @returns true once a session of the database waits for a lock; false once the work that should wait has ended */
export const doesWait = (sql: Sql, work: Promise<unknown>): Promise<boolean> => doWait(sql, 1, [work])

/**
 * Returns once at least this many sessions of the database wait for a lock.
 *
 * @param work what waits
 * @throws Error when any of it ends without waiting
 */
export async function untilWaiting(sql: Sql, count: number, ...work: readonly Promise<unknown>[]): Promise<void> {
  if (!(await doWait(sql, count, work))) throw new Error('a statement ended that was to wait for a lock')
}
