import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { runStatement } from '../connection/run-statement.ts'
import { answerTimeoutMs, type Connection, reconnecting } from '../connection/connection.ts'
import { isRolledBack, storeError } from '../connection/database-error.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import type { CommitGuard } from '../connection/commit-guard.ts'
import { sharedSlots, type Slots } from './slots.ts'

/** A connection that sends batches. Its name is its session's `application_name`, by which the session is ended. */
export type BatchConnection = {
  readonly name: string
  readonly connection: Connection
  /** After how many milliseconds without an answer the connection is cut. */
  readonly withinMs: number
  readonly guard: CommitGuard
}

/** Connections that batches of several kinds share. */
export type BatchConnections = Slots<BatchConnection> & {
  /** Fails when one of them has no session. */
  probe(): Promise<void>
  /** Called when no batch is running. */
  close(): Promise<void>
}

export type BatchConnectionOptions = {
  /** Default 1. */
  readonly count?: number | undefined
  /** Called with each new session before its first batch. A session for which it throws is closed. */
  readonly opened?: (client: pg.Client) => Promise<void>
}

export function openBatchConnections(
  { guard }: Pick<Database, 'guard'>,
  config: pg.ClientConfig,
  { count = 1, opened: began }: BatchConnectionOptions = {},
): BatchConnections {
  const opened = Array.from({ length: count }, (): BatchConnection => {
    const name = `quipu-batch-${randomUUID()}`
    const connection = reconnecting({ ...config, application_name: name }, began)
    return { name, connection, withinMs: answerTimeoutMs(config), guard }
  })
  return {
    ...sharedSlots(opened),
    probe: async () => {
      await Promise.all(
        opened.map(async ({ connection, withinMs }) =>
          runStatement(await connection.client(), { text: 'select' }, [], withinMs),
        ),
      ).catch((error: unknown) => {
        throw storeError(error) // A batch whose commit waits for the standby may end the session.
      })
    },
    close: async () => {
      await Promise.all(opened.map(({ connection }) => connection.close()))
    },
  }
}

/** How the call of a batch ended. */
export type Sent<Row> =
  | { readonly type: 'answered'; readonly row: Row | undefined }
  /** The database has received nothing. */
  | { readonly type: 'unsent'; readonly error: unknown }
  | { readonly type: 'rolled_back'; readonly error: unknown }
  /** The answer is lost: the call may be committed, rolled back or still running. */
  | { readonly type: 'lost'; readonly error: unknown }

/** Sends a statement that returns one row. */
export async function send<Row extends pg.QueryResultRow>(
  { connection, withinMs, guard }: BatchConnection,
  statement: Statement,
  values: readonly unknown[],
): Promise<Sent<Row>> {
  let client: pg.Client
  try {
    await guard.check()
    client = await connection.client()
  } catch (error) {
    return { type: 'unsent', error }
  }
  try {
    const [row] = await guard.run<Row>(client, statement, values, withinMs)
    return { type: 'answered', row }
  } catch (error) {
    if (isRolledBack(error)) return { type: 'rolled_back', error }
    guard.recordFailure(error)
    connection.drop(client)
    return { type: 'lost', error }
  }
}

/**
 * Does not end a session that waits for its standby: it has committed, and ending it would make rows visible
 * that a failover can lose.
 */
const endSessionNamed = statement('batch.end_session')`
  select coalesce(
    bool_and(case wait_event when 'SyncRep' then false else pg_terminate_backend(pid, 2000) end),
    true
  ) as ended
  from pg_stat_activity where application_name = $1`

/**
 * Ends the connection's session in the database, and waits until it is gone. From then on the session's
 * last statement is either committed or rolled back.
 *
 * @throws Error when the session is still there, for instance because it waits for its standby
 */
export async function endSession(database: Database, { name }: BatchConnection): Promise<void> {
  const isGone = async (): Promise<boolean> => {
    const [row] = await database.query<{ ended: boolean }>(endSessionNamed, [name])
    return row?.ended === true
  }
  // `pg_terminate_backend` fails for a session that is exiting by itself; the second query no longer finds it.
  if (!(await isGone()) && !(await isGone())) throw new Error(`session ${name} could not be ended`)
}
