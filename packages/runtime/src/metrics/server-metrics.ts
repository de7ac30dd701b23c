import type { Clock, Timer } from '@quipu/core'
import { cachedReading } from './cached-reading.ts'
import type { Metrics } from './metrics.ts'

/** The state of a database server that its adapter reads; structurally the state of `@quipu/postgres`. */
type ServerState = {
  readonly databaseBytes: number
  readonly walBytes: number
  readonly walRetainedBytes: number
  readonly archiveFailingSeconds: number
  readonly snapshotAge: number
  readonly transactionIdAge: number
}

/** Prometheus's usual interval: scrapes of one interval share one reading. */
const maxAgeMs = 15_000

/** Metrics of the database server, read at most once in `maxAgeMs`; none while it does not answer. */
export function serverMetrics(
  metrics: Metrics,
  readState: () => Promise<ServerState>,
  system: { readonly timer: Timer; readonly now: Clock },
): void {
  const read = cachedReading(readState, system, maxAgeMs)
  const gauge = (name: string, help: string, value: (state: ServerState) => number): void =>
    metrics.observed({ name, help }, async () => {
      const state = await read()
      return state ? [[{}, value(state)]] : []
    })
  gauge('quipu_database_bytes', 'Size of the database.', ({ databaseBytes }) => databaseBytes)
  metrics.observedCounter(
    { name: 'quipu_database_wal_bytes_total', help: 'Position of the write-ahead log.' },
    async () => {
      const state = await read()
      return state ? [[{}, state.walBytes]] : []
    },
  )
  gauge(
    'quipu_database_wal_retained_bytes',
    'Write-ahead log that is kept for the replication slot that is furthest behind.',
    ({ walRetainedBytes }) => walRetainedBytes,
  )
  gauge(
    'quipu_database_archive_failing_seconds',
    'For how long nothing was archived because the archive command fails; 0 while it works.',
    ({ archiveFailingSeconds }) => archiveFailingSeconds,
  )
  gauge(
    'quipu_database_snapshot_age_transactions',
    'Transactions since the oldest snapshot in use, whose dead rows VACUUM cannot remove.',
    ({ snapshotAge }) => snapshotAge,
  )
  gauge(
    'quipu_database_transaction_id_age',
    'Transactions since the oldest row that is not frozen; the server stops writing near 2^31.',
    ({ transactionIdAge }) => transactionIdAge,
  )
}
