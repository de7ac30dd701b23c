import path from 'node:path'
import { type PairServer, type ReplicatedPostgres, startReplicatedPostgres } from '@quipu/embedded-postgres'
import type pg from 'pg'
import { until } from '@quipu/local/testing'
import type { PatroniCluster } from '../../patroni/cluster.ts'
import { canMount, type Disk, mountDisk } from '../../run/disk.ts'
import { held, type Release } from '../../run/hold.ts'
import { runSql } from '../../run/run-sql.ts'

const name = 'quipu'

/** The database of a system, with what its faults act on. */
export type ChaosDatabase = {
  /** For the processes' role. */
  readonly roleUrl: string
  /** URL of the server that accepts writes, for the superuser. */
  url(): string
  /** Starts every server that has ended, but for a lost primary, and one that a fault keeps down. */
  restore(): Promise<void>
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  stop(): Promise<void>
  readonly pair?: Pair
  readonly patroni?: PatroniCluster
}

/** A primary and a synchronous standby, and the operations that faults make of them. */
export type Pair = Pick<ReplicatedPostgres, 'address' | 'replication'> & {
  /** The server that accepts writes. */
  writer(): PairServer
  readonly standby: PairServer
  /** Whether the primary is lost. */
  hasFailedOver(): boolean
  /** Runs one change of the servers after another. */
  exclusively<T>(change: () => Promise<T>): Promise<T>
  /** Kills a server, and keeps it down until all who have done so release it. */
  takeDown(server: PairServer): Promise<Release>
  /** Kills the primary for good. */
  losePrimary(): Promise<void>
  /** Promotes the standby, and leads clients to it. */
  promote(): Promise<void>
  /** The disk of both servers; undefined where none can be mounted. */
  readonly disk: Disk | undefined
}

const settings = {
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  log_min_messages: 'warning',
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
}

/**
 * @param template  a data folder with the database
 * @param folder  exists
 */
export async function startPair(template: string, folder: string): Promise<ChaosDatabase> {
  const disk = canMount() ? await mountDisk(path.join(folder, 'disk')) : undefined
  const dataDir = path.join(disk?.folder ?? folder, 'pair')
  const pair = await startReplicatedPostgres({ dataDir, template, synchronous: true, settings })
  const { address, replication, standby, primary } = pair
  let writer = primary
  const exclusively = oneAfterAnother()
  const query = <Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]> =>
    runSql({ connectionString: writer.urlFor(name), query_timeout: 10_000 }, sql, values)
  const down = new Set<PairServer>()
  const isLost = (server: PairServer): boolean => server === primary && writer !== primary
  const holdsDown = new Map(
    [primary, standby].map((server) => [
      server,
      held(
        () => down.add(server),
        () => startHeld(server),
      ),
    ]),
  )
  const startHeld = async (server: PairServer): Promise<void> => {
    down.delete(server)
    await exclusively(async () => void (isLost(server) || (await untilRunning(server))))
  }
  const roleUrl = new URL(address.urlFor(name))
  roleUrl.username = 'quipu_app'
  const faults: Pair = {
    address,
    replication,
    standby,
    disk,
    exclusively,
    writer: () => writer,
    hasFailedOver: () => writer !== primary,
    takeDown: async (server) => {
      const release = (await holdsDown.get(server)?.()) ?? (async () => undefined)
      await exclusively(() => server.kill().catch(() => undefined))
      return release
    },
    losePrimary: () =>
      exclusively(async () => {
        await primary.kill().catch(() => undefined)
        writer = standby
      }),
    promote: async () => {
      await until('no fault keeps the standby down', () => !down.has(standby))
      await exclusively(async () => {
        await promote(pair, query)
        address.pointTo(standby)
      })
    },
  }
  return {
    pair: faults,
    query,
    roleUrl: roleUrl.href,
    url: () => writer.urlFor(name),
    restore: () =>
      exclusively(async () => {
        const servers = [primary, standby].filter((server) => !isLost(server) && !down.has(server))
        for (const server of servers) await untilRunning(server)
      }),
    stop: async () => {
      await pair.stop()
      await disk?.[Symbol.asyncDispose]()
    },
  }
}

function oneAfterAnother(): Pair['exclusively'] {
  let last: Promise<unknown> = Promise.resolve()
  return async (change) => {
    const done = last.then(change)
    last = done.catch(() => undefined)
    return done
  }
}

/** Whether a promise is fulfilled, once it is settled. */
export const isDone = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  )

/** Starts a server that has ended; another fault may end it again. */
const untilRunning = (server: PairServer): Promise<boolean> =>
  until('the database server runs', () => isDone(server.start()))

type Query = ChaosDatabase['query']

/** Promotes the standby. With another fault that may need several attempts. */
const promote = (pair: ReplicatedPostgres, query: Query): Promise<boolean> =>
  until('the standby is promoted', async () => {
    const attempt = async (): Promise<void> => {
      await pair.standby.start()
      const [row] = await query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      if (row?.standby !== false) await pair.promote()
    }
    return isDone(attempt())
  })
