import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { ask } from '../connection/ask.ts'
import { answerMs, type Connection, reconnecting } from '../connection/connection.ts'
import { isRolledBack } from '../connection/database-error.ts'
import type { Database, Statement } from '../connection/database.ts'
import type { StallGuard } from '../connection/stall-guard.ts'

/** A connection for batches, under a name by which its session can be found and ended. */
export type Lane = {
  readonly name: string
  readonly connection: Connection
  /** How long an answer may take. */
  readonly withinMs: number
  readonly stall: StallGuard
}

export const openLanes = (
  { stall }: Pick<Database, 'stall'>,
  config: pg.ClientConfig,
  count: number,
): readonly Lane[] =>
  Array.from({ length: count }, () => {
    const name = `quipu-lane-${randomUUID()}`
    const connection = reconnecting({ ...config, application_name: name })
    return { name, connection, withinMs: answerMs(config), stall }
  })

export async function closeLanes(lanes: readonly Lane[]): Promise<void> {
  await Promise.all(lanes.map(({ connection }) => connection.close()))
}

/** What became of a statement that was sent down a lane. */
export type Sent<Row> =
  | { readonly type: 'answered'; readonly row: Row | undefined }
  /** Nothing reached the database. */
  | { readonly type: 'unsent'; readonly error: unknown }
  | { readonly type: 'rolled_back'; readonly error: unknown }
  /** It may or may not have been committed, or still be on its way. */
  | { readonly type: 'lost'; readonly error: unknown }

/** Sends a statement that answers one row. */
export async function send<Row extends pg.QueryResultRow>(
  { connection, withinMs, stall }: Lane,
  statement: Statement,
  values: readonly unknown[],
): Promise<Sent<Row>> {
  let client: pg.Client
  try {
    await stall.check()
    client = await connection.client()
  } catch (error) {
    return { type: 'unsent', error }
  }
  try {
    const [row] = await ask<Row>(client, statement, values, withinMs)
    return { type: 'answered', row }
  } catch (error) {
    if (isRolledBack(error)) return { type: 'rolled_back', error }
    stall.note(error)
    connection.drop(client)
    return { type: 'lost', error }
  }
}

/** A session that waits for its standby has committed. Ending it would show what may yet be lost. */
const endSessionNamed: Statement = {
  name: 'lane.end_session',
  text: `
    select coalesce(
      bool_and(case wait_event when 'SyncRep' then false else pg_terminate_backend(pid, 2000) end),
      true
    ) as ended
    from pg_stat_activity where application_name = $1`,
}

/**
 * Ends what is left of a lane's session in the database, and waits until it is gone.
 *
 * Whatever the session was doing is then either committed or never will be.
 *
 * @throws Error when the session is still there, as one that waits for its standby is
 */
export async function endSession(database: Database, { name }: Lane): Promise<void> {
  const isGone = async (): Promise<boolean> => {
    const [row] = await database.query<{ ended: boolean }>(endSessionNamed, [name])
    return row?.ended === true
  }
  // One that was just leaving by itself cannot be ended, and is not there when asked for again.
  if (!(await isGone()) && !(await isGone())) throw new Error(`session ${name} could not be ended`)
}
