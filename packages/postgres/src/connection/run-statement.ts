import type pg from 'pg'
import { answerTimeout } from './database-error.ts'
import { hasUnconfirmedCommit, unconfirmedCommit } from './unconfirmed-commits.ts'

/** A single connection, or one of a pool. */
export type Session = pg.Client | pg.PoolClient

export type StatementText = {
  /** The connection prepares the statement once under this name. Without a name it is not prepared. */
  readonly name?: string
  readonly text: string
}

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

function cutOff(client: pg.Client): void {
  client.connection.stream.destroy(answerTimeout())
}
