import type { Clock } from '@quipu/core'
import type pg from 'pg'
import { type UnreadableRow, warnOfUnreadable } from '../readable-rows.ts'
import { inTransaction, runPlanned, type Session, type Statement } from './run-statement.ts'
import { type CommitGuard, commitGuard } from './commit-guard.ts'
import { answerTimeoutMs, clientConfig, type ConnectionOptions, openPool, reconnecting } from './connection.ts'
import { isAnswerTimeout, isLost, isRolledBack, storeError, withoutSession } from './database-error.ts'
import { type LogMark, logMark, openReplica, type ReplicaOptions } from './replica.ts'
import { confirm } from './session.ts'

export { type Statement, statement } from './run-statement.ts'

export type Query = <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>

/**
 * How the stores query PostgreSQL. Every method throws `Unavailable` for an outage, and the error itself for a bug.
 *
 * A visible row can still be lost with the server (see `confirm`). So an answer to a tenant, and every effect outside
 * the database, follows `read`, `write`, `transaction` or an acknowledged write.
 */
export type Database = {
  /**
   * A short read by key whose rows may not be durable: for decisions that a later write checks. Pipelined on
   * one connection; retried once when the connection is lost.
   */
  readonly readLatest: Query
  /** One statement on a pooled connection. Its own write is durable when the promise resolves. */
  readonly query: Query
  /** One statement. All that it has read and written is durable when the promise resolves. */
  readonly write: Query
  /** As `write`, for a statement that only reads. Retried once when the connection is lost. */
  readonly read: Query
  /** As `read`, for lists: a replica may answer, with all that the primary had at the call. */
  readonly list: Query
  /** All that it has read and written is durable when the promise resolves. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Receives what connections and batches do. */
  readonly observer: DatabaseObserver
  /** Fails when the connection of `readLatest` has no session. */
  probe(): Promise<void>
  /** The pooled connections now. */
  poolState(): PoolState
  /** Keeps sessions from piling up behind a standby that does not answer, and watches that one is required. */
  readonly guard: CommitGuard
  /** Receives a row that a list or a claim has left out, as it cannot be read. Must not throw. */
  readonly onUnreadable: (row: UnreadableRow) => void
  /** The instant to use instead of the database's clock; null uses the database's clock. */
  clockOverride(): Date | null
  close(): Promise<void>
}

/** Receives what connections and batches do, for metrics. Its functions must be quick, and must not throw. */
export type DatabaseObserver = {
  /** A batch was written. @param kind  the SQL function that writes it */
  readonly batchWritten: (kind: string, items: number, seconds: number) => void
  /** A caller got a pooled connection. */
  readonly connectionTaken: (waitedSeconds: number) => void
  /** A list was read, where there is a replica. */
  readonly listRead: (server: 'replica' | 'primary') => void
}

const noObserver: DatabaseObserver = {
  batchWritten: () => undefined,
  connectionTaken: () => undefined,
  listRead: () => undefined,
}

/** Pooled connections, and callers that wait for one. */
export type PoolState = {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
  /** How many connections there can be. */
  readonly size: number
}

export type DatabaseOptions = ConnectionOptions & {
  readonly observer?: DatabaseObserver
  /** Receives a row that a list or a claim has left out, as it cannot be read. By default the process warns. */
  readonly onUnreadable?: (row: UnreadableRow) => void
  /** Connections for lists and single writes. Default 8. */
  readonly poolSize?: number
  /** Answers lists, if it has all that the primary has. Default: the primary. */
  readonly replica?: ReplicaOptions | undefined
  /** Replaces the database's clock, by which quotes and leases are measured. Only after `allowTestClock`. */
  readonly clockOverride?: Clock
}

export function openDatabase(options: DatabaseOptions): Database {
  const config = clientConfig(options)
  const withinMs = answerTimeoutMs(config)
  const { observer = noObserver, poolSize: size = 8 } = options
  const pool = openPool({ ...config, max: size }, config.connectionTimeoutMillis ?? withinMs)
  const reader = reconnecting({ ...config, pipeline: true })

  const on =
    (client: Session): Query =>
    (statement, values) =>
      runPlanned(client, statement, values, withinMs)
  const readLatest: Query = async (statement, values) => on(await reader.client())(statement, values)
  const onPool = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => withClient(pool, observer, work)
  const guard = commitGuard((statement) => withStoreErrors(readLatest(statement, [])), options)
  const withCommits = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    await guard.check()
    return onPool(work).catch((error: unknown) => {
      guard.recordFailure(error)
      throw error
    })
  }
  const confirmOn = (client: Session) => confirm(client, (statement) => guard.run(client, statement, [], withinMs))
  const query: Query = (statement, values) => withCommits((client) => guard.run(client, statement, values, withinMs))
  // On the same connection: after a failover another one could lead to another server.
  const confirmed: Query = (statement, values) =>
    withCommits(async (client) => {
      const rows = await on(client)<never>(statement, values)
      await confirmOn(client)
      return rows
    })
  const replica = options.replica && openReplica(options, options.replica, size)
  // In one session of the primary: what the replica has replayed after the mark is durable once the session confirms it.
  const listed: Query = <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) =>
    withCommits(async (client) => {
      const [mark] = await on(client)<LogMark>(logMark, [])
      const replayed = mark && (await replica?.read<Row>(mark, statement, values))
      observer.listRead(replayed ? 'replica' : 'primary')
      const rows = replayed ?? (await on(client)<Row>(statement, values))
      await confirmOn(client)
      return rows
    })
  const list = replica ? listed : confirmed
  const transact = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    withCommits(async (client) => {
      const result = await inTransaction(client, withinMs, () => work(on(client)))
      await confirmOn(client)
      return result
    })
  return {
    readLatest: (statement, values) => withStoreErrors(retryOnce(() => readLatest(statement, values))),
    query: (statement, values) => withStoreErrors(query(statement, values)),
    write: (statement, values) => withStoreErrors(confirmed(statement, values)),
    read: (statement, values) => withStoreErrors(retryOnce(() => confirmed(statement, values))),
    list: (statement, values) => withStoreErrors(retryOnce(() => list(statement, values))),
    transaction: (work) => withStoreErrors(transact(work)),
    observer,
    probe: async () => {
      await withStoreErrors(readLatest({ name: 'reader.probe', text: 'select' }, []))
    },
    poolState: () => stateOf(pool, size),
    guard,
    onUnreadable: options.onUnreadable ?? warnOfUnreadable,
    clockOverride: () => options.clockOverride?.() ?? null,
    close: async () => {
      await Promise.all([pool.end(), reader.close(), replica?.close()])
    },
  }
}

const stateOf = ({ totalCount, idleCount: idle, waitingCount: waiting }: pg.Pool, size: number): PoolState => ({
  busy: totalCount - idle,
  idle,
  waiting,
  size,
})

/** Retries once after a lost connection, and not after a time-out. */
async function retryOnce<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isLost(error) && !isAnswerTimeout(error)) return run()
    throw error
  }
}

/** Removes the connection from the pool after an error, except an error that the server answered with. */
async function withClient<T>(
  pool: pg.Pool,
  { connectionTaken }: DatabaseObserver,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const askedAt = performance.now()
  const client = await pool.connect().catch((error: unknown) => {
    throw withoutSession(error)
  })
  connectionTaken((performance.now() - askedAt) / 1000)
  // A broken connection already rejects the next statement.
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

async function withStoreErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw storeError(error)
  }
}
