import type pg from 'pg'
import { answerTimeout } from './database-error.ts'
import { hasUnconfirmedCommit, unconfirmedCommit } from './unconfirmed-commits.ts'

/** A single connection, or one of a pool. */
export type Session = pg.Client | pg.PoolClient

export type StatementText = {
  /** The connection prepares the statement once under this name. Without a name it is not prepared. */
  readonly name?: string
  readonly text: string
  /** It sums many rows: bitmap scans, which sessions of the stores forbid, are allowed for it. */
  readonly sumsMany?: true
}

/** A statement that each connection prepares once under its name. */
export type Statement = StatementText & { readonly name: string }

/** The statement of this name, with a template as its text: statement('now')`select now()`. */
export const statement =
  (name: string) =>
  (text: TemplateStringsArray, ...parts: readonly (string | number)[]): Statement => ({
    name,
    text: String.raw({ raw: text }, ...parts),
  })

/**
 * Sends a statement and returns its rows. Destroys the connection's socket when no answer comes within
 * `withinMs`, which fails every statement that is queued on it.
 *
 * Replaces the driver's own promise and `query_timeout`: those attach the callback to a query after its
 * creation, and V8 then promotes a quarter of all rows and parameters to the old generation, where they
 * stay until the next full garbage collection.
 */
export async function runStatement<Row extends pg.QueryResultRow>(
  client: Session,
  statement: StatementText,
  values: readonly unknown[],
  withinMs: number,
): Promise<Row[]> {
  const answer = Promise.withResolvers<Row[]>()
  const timer = setTimeout(cutOff, withinMs, client)
  const config = { ...statement, values: [...values] }
  client.query<Row>(config, (error: Error | null, result) => {
    clearTimeout(timer)
    if (error) answer.reject(error)
    else if (hasUnconfirmedCommit(client)) answer.reject(unconfirmedCommit())
    else answer.resolve(result.rows)
  })
  try {
    return await answer.promise
  } catch (error) {
    // The error's own stack ends in the socket; this one includes the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** As `runStatement`, in a transaction that allows bitmap scans if the statement sums many rows. */
export async function runPlanned<Row extends pg.QueryResultRow>(
  client: Session,
  statement: StatementText,
  values: readonly unknown[],
  withinMs: number,
): Promise<Row[]> {
  const run = () => runStatement<Row>(client, statement, values, withinMs)
  if (statement.sumsMany === undefined) return run()
  return inTransaction(client, withinMs, async () => {
    await runStatement(client, { text: 'set local enable_bitmapscan = on' }, [], withinMs)
    return run()
  })
}

/** Runs `work` between `begin` and `commit`, or `rollback` where it fails. */
export async function inTransaction<T>(client: Session, withinMs: number, work: () => Promise<T>): Promise<T> {
  const run = (text: string) => runStatement(client, { text }, [], withinMs)
  await run('begin')
  try {
    const result = await work()
    await run('commit')
    return result
  } catch (error) {
    await run('rollback').catch(ignore) // Fails on a lost connection, where the server rolls back.
    throw error
  }
}

const ignore = (): void => undefined

function cutOff(client: pg.Client): void {
  client.connection.stream.destroy(answerTimeout())
}
