import type pg from 'pg'
import { answerTimeout } from './database-error.ts'
import { hasUnconfirmedCommit, unconfirmedCommit } from './unconfirmed-commits.ts'

/** A connection of its own, or one of a pool. */
export type Session = pg.Client | pg.PoolClient

export type Question = {
  /** Under which a connection prepares it once; none for one that is not prepared. */
  readonly name?: string
  readonly text: string
}

/**
 * Sends a statement and waits for its rows. Where no answer comes in time the connection is cut off,
 * with all that still waits for it.
 *
 * The driver could do both by itself, but its promise and its `query_timeout` give a query its callback
 * after it was made. With such queries V8 finds a quarter of all rows and parameters still in use when
 * nobody uses them any more, and keeps them until the next full collection.
 */
export async function ask<Row extends pg.QueryResultRow>(
  client: Session,
  question: Question,
  values: readonly unknown[],
  withinMs: number,
): Promise<Row[]> {
  const answer = Promise.withResolvers<Row[]>()
  const timer = setTimeout(cutOff, withinMs, client)
  const config = { ...question, values: [...values] }
  client.query<Row>(config, (error: Error | null, result) => {
    clearTimeout(timer)
    if (error) answer.reject(error)
    else if (hasUnconfirmedCommit(client)) answer.reject(unconfirmedCommit())
    else answer.resolve(result.rows)
  })
  try {
    return await answer.promise
  } catch (error) {
    // Its own stack ends in the socket; this one leads to who asked.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

function cutOff(client: pg.Client): void {
  client.connection.stream.destroy(answerTimeout())
}
