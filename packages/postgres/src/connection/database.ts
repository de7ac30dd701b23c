import type { Clock } from '@quipu/core'
import pg from 'pg'
import { ask, type Session } from './ask.ts'
import { answerMs, clientConfig, type ConnectionOptions, reconnecting } from './connection.ts'
import { explained, isLost, isRolledBack, isAnswerTimeout } from './database-error.ts'
import { confirm, openSession } from './session.ts'
import { stallGuard, type StallGuard } from './stall-guard.ts'

/** A statement that each connection prepares once, under its name. */
export type Statement = { readonly name: string; readonly text: string }

export type Query = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>

/**
 * What the stores need of PostgreSQL. Failures come out as `Unavailable`, or as they are when a bug.
 *
 * What is visible may still be lost with the server (see `confirm`). So whatever is told to a tenant
 * or acted on outside comes from a write that was answered, from `read`, or from `transaction`.
 */
export type Database = {
  /**
   * A short read by key, for what is decided by a later write: it may show what is not durable. Many
   * are sent down one connection without waiting for each other's answer; asked once more when the
   * connection is lost.
   */
  readonly look: Query
  /** Any one statement, on a connection of its own. Its own write is durable when it is answered. */
  readonly query: Query
  /** Any one statement; all that it has seen and written is durable when it is answered. */
  readonly write: Query
  /** The same for a statement that only reads. Asked once more when the connection is lost. */
  readonly read: Query
  /** All that it has seen and written is durable. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Keeps sessions from piling up behind a standby that does not answer. */
  readonly stall: StallGuard
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
  const withinMs = answerMs(config)
  const pool = openPool(config, options.poolSize ?? 8)
  const reader = reconnecting({ ...config, pipeline: true })

  const on =
    (client: Session): Query =>
    (statement, values) =>
      ask(client, statement, values, withinMs)
  const look: Query = async (statement, values) => on(await reader.client())(statement, values)
  const onPool = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
    withClient(pool, work)
  const stall = stallGuard((question) =>
    explain(onPool((client) => ask(client, question, [], withinMs))),
  )
  const withCommits = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    await stall.check()
    return onPool(work).catch((error: unknown) => {
      stall.note(error)
      throw error
    })
  }
  const query: Query = (statement, values) => withCommits((client) => on(client)(statement, values))
  // The confirmation goes down the same connection: another one may lead to another server by then.
  const confirmed: Query = (statement, values) =>
    withCommits(async (client) => {
      const rows = await on(client)<never>(statement, values)
      await confirm(client, withinMs)
      return rows
    })
  const transact = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    withCommits(async (client) => {
      const say = (text: string) => ask(client, { text }, [], withinMs)
      await say('begin')
      try {
        const result = await work(on(client))
        await say('commit')
        await confirm(client, withinMs)
        return result
      } catch (error) {
        await say('rollback').catch(ignore) // Of a connection that is lost: the server has done so.
        throw error
      }
    })
  return {
    look: (statement, values) => explain(again(() => look(statement, values))),
    query: (statement, values) => explain(query(statement, values)),
    write: (statement, values) => explain(confirmed(statement, values)),
    read: (statement, values) => explain(again(() => confirmed(statement, values))),
    transaction: (work) => explain(transact(work)),
    stall,
    now: () => options.now?.() ?? null,
    close: async () => {
      await Promise.all([pool.end(), reader.close()])
    },
  }
}

function openPool(config: pg.ClientConfig, size: number): pg.Pool {
  const connectMs = config.connectionTimeoutMillis ?? answerMs(config)
  const pool = new pg.Pool({
    ...config,
    max: size,
    idle_in_transaction_session_timeout: patienceMs,
    verify: (client, done) => {
      // The pool has no listener meanwhile, and an error that nobody listens to ends the process.
      client.on('error', ignore)
      openSession(client, connectMs).then(() => done(), done)
    },
  })
  // The pool replaces an idle connection that breaks when the next one is wanted.
  pool.on('error', ignore)
  return pool
}

/** Asks once more when the connection was lost. A time-out is not repeated. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isLost(error) && !isAnswerTimeout(error)) return ask()
    throw error
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
