import type { Clock } from '@quipu/core'
import pg from 'pg'
import { ask } from './ask.ts'
import { answerMs, clientConfig, type ConnectionOptions, reconnecting } from './connection.ts'
import { explained, isLost, isRolledBack } from './database-error.ts'

/** A statement that each connection prepares once, under its name. */
export type Statement = { readonly name: string; readonly text: string }

export type Query = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>

/** What the stores need of PostgreSQL. Failures come out as `Unavailable`, or as they are when a bug. */
export type Database = {
  /**
   * A short read by key. Many are sent down one connection without waiting for each other's answer;
   * asked once more when the connection is lost.
   */
  readonly look: Query
  /** Any one statement, on a connection of its own. */
  readonly query: Query
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** The value that stands in for the database's clock; null to use that clock. */
  now(): Date | null
  close(): Promise<void>
}

export type DatabaseOptions = ConnectionOptions & {
  /** Connections for lists and single writes. Default 8. */
  readonly poolSize?: number
  /** For tests: measures quotes and leases instead of the database's clock. */
  readonly now?: Clock
}

/**
 * How long a transaction waits for the next statement. Its process may be gone without a word, and
 * what it has locked must not stay locked.
 */
const patienceMs = 2_000

export function openDatabase(options: DatabaseOptions): Database {
  const config = clientConfig(options)
  const pool = new pg.Pool({
    ...config,
    max: options.poolSize ?? 8,
    idle_in_transaction_session_timeout: patienceMs,
  })
  // An idle connection that breaks is replaced when the next one is wanted: nobody is waiting.
  pool.on('error', ignore)
  const reader = reconnecting({ ...config, pipeline: true })

  const withinMs = answerMs(config)
  const on =
    (client: pg.Client | pg.PoolClient): Query =>
    (statement, values) =>
      ask(client, statement, values, withinMs)
  const lookOnce: Query = async (statement, values) => on(await reader.client())(statement, values)
  const look: Query = async (statement, values) => {
    try {
      return await lookOnce(statement, values)
    } catch (error) {
      if (isLost(error)) return lookOnce(statement, values)
      throw error
    }
  }
  const transact = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    withClient(pool, async (client) => {
      const say = (text: string) => ask(client, { text }, [], withinMs)
      await say('begin')
      try {
        const result = await work(on(client))
        await say('commit')
        return result
      } catch (error) {
        await say('rollback').catch(ignore) // Of a connection that is lost: the server has done so.
        throw error
      }
    })
  return {
    look: (statement, values) => explain(look(statement, values)),
    query: (statement, values) =>
      explain(withClient(pool, (client) => on(client)(statement, values))),
    transaction: (work) => explain(transact(work)),
    now: () => options.now?.() ?? null,
    close: async () => {
      await Promise.all([pool.end(), reader.close()])
    },
  }
}

/** A connection that failed is not given back; one whose server refused a statement is as it was. */
async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A connection that breaks fails what is asked next: that says it all.
  client.on('error', ignore)
  let isBroken = false
  try {
    return await work(client)
  } catch (error) {
    isBroken = !isRolledBack(error)
    throw error
  } finally {
    client.release(isBroken)
    if (!isBroken) client.off('error', ignore)
  }
}

const ignore = (): void => undefined

async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw explained(error)
  }
}
