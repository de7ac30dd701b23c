import type { RaiseAlert } from '@quipu/core'
import { measuredStores, type MeasuredStores } from './measured-stores.ts'
import type { Metrics } from './metrics.ts'

/** The report of a database's adapter about its connections; structurally the observer of `@quipu/postgres`. */
type ConnectionObserver = {
  /** A batch was written. @param kind  the function that writes it */
  readonly batchWritten: (kind: string, items: number, seconds: number) => void
  /** A caller got a pooled connection. */
  readonly connectionTaken: (waitedSeconds: number) => void
  /** A list was read, where there is a replica. */
  readonly listRead: (server: 'replica' | 'primary') => void
}

/** The connections of a pool, and who waits for one. */
type PoolState = { readonly busy: number; readonly idle: number; readonly waiting: number; readonly size: number }

/** Metrics of batches and pooled connections. @returns what the adapter reports to */
function databaseMetrics(metrics: Metrics): ConnectionObserver {
  const recordItems = metrics.histogram({
    name: 'quipu_database_batch_items',
    help: 'Items of a batch, by the function that writes it.',
    labels: ['function'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
  })
  const recordBatch = metrics.histogram({
    name: 'quipu_database_batch_duration_seconds',
    help: 'Duration of a batch, commit included, by the function that writes it.',
    labels: ['function'],
    buckets: waitBuckets,
  })
  const recordWait = metrics.histogram({
    name: 'quipu_database_connection_wait_seconds',
    help: 'How long callers waited for a pooled connection.',
    buckets: waitBuckets,
  })
  const countList = metrics.counter({
    name: 'quipu_database_lists_total',
    help: 'Lists and statements that were read, by the server that answered; 0 without a replica.',
    labels: ['server'],
    known: [{ server: 'replica' }, { server: 'primary' }],
  })
  return {
    batchWritten: (kind, items, seconds) => {
      recordItems({ function: kind }, items)
      recordBatch({ function: kind }, seconds)
    },
    connectionTaken: (seconds) => recordWait({}, seconds),
    listRead: (server) => {
      countList({ server })
    },
  }
}

const waitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The state of a database's connections; structurally the stores of `@quipu/postgres`. */
type Connections = { poolState(): PoolState; isStandbyMissing(): boolean }

/** Metrics of the connections themselves, read at each scrape. */
function connectionMetrics(metrics: Metrics, { poolState: read, isStandbyMissing }: Connections): void {
  metrics.observed(
    { name: 'quipu_database_connections', help: 'Pooled connections of this process, by state.', labels: ['state'] },
    async () => {
      const { busy, idle } = read()
      return [
        [{ state: 'busy' }, busy],
        [{ state: 'idle' }, idle],
      ]
    },
  )
  const gauge = (name: string, help: string, value: (state: PoolState) => number): void =>
    metrics.observed({ name, help }, async () => [[{}, value(read())]])
  gauge('quipu_database_connections_max', 'How many pooled connections there can be.', ({ size }) => size)
  metrics.observed(
    {
      name: 'quipu_database_standby_missing',
      help: '1 while DATABASE_STANDBY=required and the server requires no standby.',
    },
    async () => [[{}, Number(isStandbyMissing())]],
  )
  gauge('quipu_database_connection_waiters', 'Callers that wait for a pooled connection now.', ({ waiting }) => waiting)
}

/** The stores of a database with metrics of what they end, of batches and of pooled connections. */
export function measuredDatabase<All extends MeasuredStores & Connections>(
  metrics: Metrics,
  open: (observer: ConnectionObserver) => All,
  raiseAlert: RaiseAlert,
): All {
  const stores = measuredStores(metrics, open(databaseMetrics(metrics)), raiseAlert)
  connectionMetrics(metrics, stores)
  return stores
}
