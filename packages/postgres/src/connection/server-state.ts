import { type Database, statement } from './database.ts'

/** The server's report about the space and the log that it needs. In bytes, seconds and transactions. */
export type ServerState = {
  /** The size of this database on disk. */
  readonly databaseBytes: number
  /** The position of the write-ahead log: what has been written since the cluster was created. */
  readonly walBytes: number
  /** The log that the server keeps for the replication slot that is furthest behind; 0 without slots. */
  readonly walRetainedBytes: number
  /** For how long the server has archived nothing because its archive command fails; 0 while it works. */
  readonly archiveFailingSeconds: number
  /** How many transactions have begun since the oldest snapshot in use: what VACUUM cannot remove. */
  readonly snapshotAge: number
  /** Transactions since the oldest row that is not frozen, of all databases. The server stops writing near 2³¹. */
  readonly transactionIdAge: number
}

/**
 * Without rights to monitor: a role sees the snapshots of other roles' sessions, and not when those began; slots, and
 * not the standbys behind them.
 */
const serverState = statement('server.state')`
  select pg_database_size(current_database())::float8 as "databaseBytes",
    (pg_current_wal_lsn() - '0/0')::float8 as "walBytes",
    (select coalesce(max(pg_current_wal_lsn() - s.restart_lsn), 0)
      from pg_replication_slots s)::float8 as "walRetainedBytes",
    (select case when a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
        then extract(epoch from clock_timestamp() - coalesce(a.last_archived_time, a.stats_reset))
        else 0 end from pg_stat_archiver a)::float8 as "archiveFailingSeconds",
    (select coalesce(max(age(b.backend_xmin)), 0) from pg_stat_activity b)::float8 as "snapshotAge",
    (select max(greatest(age(d.datfrozenxid), mxid_age(d.datminmxid))) from pg_database d
    )::float8 as "transactionIdAge"`

/** Reads the state of the server in one statement. @throws Unavailable when the database does not answer */
export const readServerState = (database: Database) => async (): Promise<ServerState> => {
  const [state] = await database.query<ServerState>(serverState, [])
  if (!state) throw new Error('the statement answered no row')
  return state
}
