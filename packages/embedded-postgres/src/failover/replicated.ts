import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { layoutOf } from '../cluster/cluster.ts'
import { databaseUrl, withClient } from '../server/database.ts'
import { killServer, removeSharedMemory } from '../server/kill-server.ts'
import { removeFolder } from '../cluster/own-folder.ts'
import { openProxy, type Proxy } from './proxy.ts'
import { type PostgresServer, startPostgres } from '../server/server.ts'

const standbyName = 'standby'
const pollMilliseconds = 10
const waitMilliseconds = 60_000

export type ReplicatedOptions = {
  /** A folder for the pair alone. Created if missing, and removed by `stop`. */
  readonly dataDir: string
  /** Whether commits on the primary wait until the standby has flushed them. */
  readonly synchronous: boolean
  /** The data folder of a stopped server, of which both start as copies. Default: an empty cluster. */
  readonly template?: string
  /** Settings of `postgresql.conf` for both servers. */
  readonly settings?: Readonly<Record<string, string>>
}

/** One server of a pair. Its name is its role at the start. */
export type PairServer = {
  /** As {@link PostgresServer.url}; changes with `start`. */
  readonly url: string
  urlFor(database: string): string
  /** Ends all its processes by SIGKILL. WAL that has not reached the other server stays in its folder. */
  kill(): Promise<void>
  /** Starts it after `kill` in its last role; a primary recovers and accepts writes again. */
  start(): Promise<void>
  /** Kills one session, whereupon the server ends all others, recovers, and accepts connections again. */
  crash(): Promise<void>
}

export type ReplicatedPostgres = AsyncDisposable & {
  readonly primary: PairServer
  readonly standby: PairServer
  /** The address that clients use. It leads to the primary at first. */
  readonly address: Pick<Proxy, 'url' | 'stall' | 'resume' | 'cut'> & {
    urlFor(database: string): string
    /** Cuts the open connections, and connects later ones to this server, whatever its role. */
    pointTo(server: PairServer): void
  }
  /** The connection from the standby to the primary. After `cut` the standby reconnects. */
  readonly replication: Pick<Proxy, 'stall' | 'resume' | 'cut'> & {
    /** Resolves when the standby streams and has replayed everything that the primary has written. */
    untilCaughtUp(): Promise<void>
  }
  /** While replay is paused, the standby receives, flushes and confirms, but its queries return older rows. */
  readonly replay: { pause(): Promise<void>; resume(): Promise<void> }
  /** Makes the standby a primary; resolves when it accepts writes. Does not move the address. */
  promote(): Promise<void>
  /** Stops both servers and removes their folder. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL 18 with a streaming standby, for tests of fail-overs.
 *
 * Commits survive a crash of a server, but not of the machine (`durability: 'none'`).
 *
 * @throws StartError when a server does not start
 * @example
 * await using pair = await startReplicatedPostgres({ dataDir, template, synchronous: true })
 * const url = pair.address.urlFor('quipu')
 * pair.replication.stall()        // commits wait from now on
 * await pair.primary.kill()
 * await pair.promote()
 * pair.address.pointTo(pair.standby)
 */
export async function startReplicatedPostgres(options: ReplicatedOptions): Promise<ReplicatedPostgres> {
  const { dataDir, synchronous } = options
  await mkdir(dataDir, { recursive: true })
  const folders = { primary: path.join(dataDir, 'primary'), standby: path.join(dataDir, 'standby') }
  await copyCluster(options.template ?? (await newTemplate(dataDir)), Object.values(folders))
  await writeFile(path.join(layoutOf(folders.standby).cluster, 'standby.signal'), '')
  // In a file, as a test changes it while the server runs.
  const names = `synchronous_standby_names = '${synchronous ? standbyName : ''}'\n`
  await appendFile(path.join(layoutOf(folders.primary).cluster, 'postgresql.auto.conf'), names)

  await using begun = new AsyncDisposableStack()
  begun.defer(() => removeFolder(dataDir))
  // In the cluster's folder, and not in the system's, where a killed server would leave its files.
  const usual = { dynamic_shared_memory_type: 'mmap', ...options.settings }
  const primary = begun.use(await openServer(folders.primary, usual))
  const link = await openProxy(() => primary.url)
  begun.defer(() => link.shut())
  const standby = begun.use(
    await openServer(folders.standby, {
      ...usual,
      primary_conninfo: conninfo(link.url),
      wal_retrieve_retry_interval: '100ms',
    }),
  )
  const address = await openProxy(() => primary.url)
  begun.defer(() => address.shut())
  await until('the standby streams', () => isCaughtUp(primary.url, synchronous))

  const parts = begun.move()
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= parts.disposeAsync())
  return {
    // Drops what the primary had sent and a stall has kept.
    primary: pairServer(primary, () => link.cut()),
    standby: pairServer(standby),
    address: {
      ...address,
      urlFor: (database) => databaseUrl(address.url, database),
      pointTo: (server) => address.pointTo(() => server.url),
    },
    replication: {
      ...link,
      untilCaughtUp: () => until('the standby has caught up', () => isCaughtUp(primary.url, synchronous)),
    },
    replay: {
      pause: () => run(standby.url, 'select pg_wal_replay_pause()'),
      resume: () => run(standby.url, 'select pg_wal_replay_resume()'),
    },
    promote: () => promote(standby.url),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** A server that can be restarted. */
type Restartable = AsyncDisposable & { readonly url: string; current(): PostgresServer; start(): Promise<void> }

async function openServer(dataDir: string, settings: Readonly<Record<string, string>>): Promise<Restartable> {
  const start = () => startPostgres({ dataDir, durability: 'none', settings })
  let server = await start()
  return {
    get url() {
      return server.url
    },
    current: () => server,
    start: async () => {
      server = await start()
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await removeSharedMemory(layoutOf(dataDir).cluster)
    },
  }
}

const pairServer = (server: Restartable, afterKill = (): void => undefined): PairServer => ({
  get url() {
    return server.url
  },
  urlFor: (database) => databaseUrl(server.url, database),
  kill: async () => {
    await killServer(server.current().pid)
    afterKill()
  },
  start: () => server.start(),
  crash: () => crash(server),
})

/** When a session crashes, shared memory may be corrupt, so the server ends all others. */
async function crash({ url }: Restartable): Promise<void> {
  const other = new pg.Client(url)
  const ended = Promise.withResolvers<void>()
  other.on('error', () => undefined) // expected: the server ends the session
  other.on('end', ended.resolve)
  await other.connect()
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
    await ended.promise
  })
  await until('the server has recovered', () =>
    run(url, 'select').then(
      () => true,
      () => false,
    ),
  )
}

async function newTemplate(dataDir: string): Promise<string> {
  const template = path.join(dataDir, 'template')
  const server = await startPostgres({ dataDir: template, durability: 'none' })
  await server.stop()
  return template
}

async function copyCluster(template: string, folders: readonly string[]): Promise<void> {
  const { home } = layoutOf(template)
  for (const folder of folders) {
    await mkdir(folder)
    await cp(home, layoutOf(folder).home, { recursive: true, verbatimSymlinks: true })
  }
}

/** The address of a URL in libpq's format. */
function conninfo(url: string): string {
  const { hostname, port, username, password } = new URL(url)
  const secret = password === '' ? '' : ` password=${password}`
  return `host=${hostname} port=${port} user=${username}${secret} application_name=${standbyName} sslmode=disable`
}

const caughtUp = `
  select from pg_stat_replication
  where state = 'streaming' and (sync_state = 'sync') = $1
    and replay_lsn >= pg_current_wal_lsn()`

async function isCaughtUp(url: string, synchronous: boolean): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query(caughtUp, [synchronous])
    return rowCount === 1
  })
}

async function promote(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ promoted: boolean }>('select pg_promote() as promoted')
    if (rows[0]?.promoted !== true) throw new Error('the standby was not promoted within 60 s')
  })
}

async function run(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement))
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMilliseconds
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out after ${waitMilliseconds / 1000} s: ${what}`)
    await delay(pollMilliseconds)
  }
}
