import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { clientConfig, type ConnectionOptions, openPool } from './connection.ts'
import {
  runPlanned,
  runStatement,
  type Session,
  type Statement,
  statement,
  type StatementText,
} from './run-statement.ts'

/** A standby that answers lists and statements. */
export type ReplicaOptions = {
  /** As the URL of the primary. */
  readonly url: string
  /** Receives why the primary answers instead, once, and undefined when the replica answers again. Must not throw. */
  readonly changed?: (reason: string | undefined) => void
}

/** A place in the primary's log, of one cluster and timeline. */
export type LogMark = { readonly position: string; readonly timeline: number; readonly system: string }

/** Reads where the log of the primary ends. */
export const logMark: Statement = statement('replica.mark')`
  select pg_current_wal_flush_lsn()::text as position, c.system_identifier::text as system,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline
  from pg_control_system() c`

/**
 * A server that was not rewound after a fail-over has a log of its own, which may be longer: its timeline shows it. It
 * is the one of the last page written to disk, so a standby is not used for a while after a fail-over.
 */
const standbyState: StatementText = {
  name: 'replica.state',
  text: `
    select pg_is_in_recovery() as standby, c.system_identifier::text as system, r.min_recovery_end_timeline as timeline,
      coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as is_current
    from pg_control_system() c, pg_control_recovery() r`,
}

type StandbyState = {
  readonly standby: boolean
  readonly system: string
  readonly timeline: number
  readonly is_current: boolean
}

export type Replica = {
  /** The rows as of the mark or later; undefined when the primary has to answer. */
  read<Row extends pg.QueryResultRow>(
    mark: LogMark,
    statement: StatementText,
    values: readonly unknown[],
  ): Promise<Row[] | undefined>
  close(): Promise<void>
}

/** How long a read waits for the replay of what the primary has. */
const behindMaxMs = 250
const pollMs = 5
const stateWithinMs = 1_000
/** Less than the primary has left to answer within a tenant's time-out. */
const rowsWithinMs = 5_000
/** For how long the primary answers after a failure of the replica. */
const pauseMs = 5_000

/** @param poolSize  how many reads run at once */
export function openReplica(options: ConnectionOptions, { url, changed }: ReplicaOptions, poolSize: number): Replica {
  const pool = openPool({ ...clientConfig({ ...options, url }), max: poolSize }, stateWithinMs, 'standby')
  let pausedUntil = 0
  let isPaused = false
  const report = (reason: string | undefined): void => {
    const wasPaused = isPaused
    isPaused = reason !== undefined
    if (isPaused) pausedUntil = performance.now() + pauseMs
    if (isPaused !== wasPaused) changed?.(reason)
  }
  return {
    read: async <Row extends pg.QueryResultRow>(
      mark: LogMark,
      statement: StatementText,
      values: readonly unknown[],
    ) => {
      if (performance.now() < pausedUntil) return undefined
      let client: pg.PoolClient | undefined
      try {
        client = await pool.connect()
        await untilReplayed(client, mark)
        const rows = await runPlanned<Row>(client, statement, values, rowsWithinMs)
        client.release()
        report(undefined)
        return rows
      } catch (error) {
        client?.release(true)
        report(error instanceof Error ? error.message : String(error))
        return undefined
      }
    },
    close: () => pool.end(),
  }
}

/** Waits until the standby has replayed the log up to the mark. @throws Error that says why it cannot be used */
async function untilReplayed(client: Session, mark: LogMark): Promise<void> {
  const endsAt = performance.now() + behindMaxMs
  for (;;) {
    const [state] = await runStatement<StandbyState>(client, standbyState, [mark.position], stateWithinMs)
    if (!state?.standby) throw new Error('it is no standby')
    if (state.system !== mark.system) throw new Error('it is a standby of another cluster')
    if (state.timeline !== mark.timeline) throw new Error('it has not replayed the timeline of the primary')
    if (state.is_current) return
    if (performance.now() >= endsAt) throw new Error(`it is more than ${behindMaxMs} ms behind the primary`)
    await wait(pollMs)
  }
}
