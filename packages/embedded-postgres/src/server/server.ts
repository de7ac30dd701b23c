import { once } from 'node:events'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { chooseAccount, launchMethods, type LaunchMethod } from '../cluster/account.ts'
import { findBinaries, type Binaries } from '../cluster/binaries.ts'
import { type Settings, ensureCluster, layoutOf, type Layout } from '../cluster/cluster.ts'
import { databaseUrl, withClient } from './database.ts'
import { findLeftover, startPostmaster, stopPostmaster } from './postmaster.ts'
import type { Postmaster } from './postmaster-file.ts'
import { makeSocketFolder, recordSocketFolder, removeSocketFolder } from './socket-folder.ts'

const onWindows = process.platform === 'win32'
const socketPort = 5432 // only part of the socket's name
const withoutDurability: Settings = [
  ['fsync', 'off'],
  ['full_page_writes', 'off'],
]

export type PostgresOptions = {
  /** A folder for the server alone. Created if missing, and kept for later starts. */
  readonly dataDir: string
  /** `none` is for tests: commits survive a crash of the server, but not of the machine. */
  readonly durability: 'full' | 'none'
  /** Settings of `postgresql.conf`. A reused server keeps the settings of its start. */
  readonly settings?: Readonly<Record<string, string>>
  /** The port of 127.0.0.1 to listen on, with a password that is in the URL. Default: only a socket. */
  readonly port?: number
  /** Gets a sentence about each slow step. */
  readonly log?: (message: string) => void
}

export type PostgresServer = {
  /** The URL of the database `postgres` for the superuser `postgres`. */
  readonly url: string
  urlFor(database: string): string
  /** Stops the server, also a reused one, and waits until it has ended. */
  stop(): Promise<void>
  readonly pid: number
  /** Whether the server was already running, left by an earlier process that died. */
  readonly reused: boolean
  readonly dataDir: string
}

/**
 * Starts PostgreSQL 18 on a folder, or takes over the server that is running there.
 *
 * Two callers with one folder get the same server, and the first to stop it stops it for both; a caller that
 * must be alone locks the folder before. On Linux the server shuts down when the calling process dies, even
 * by SIGKILL, or the calling thread ends; elsewhere it keeps running, and the next start takes it over.
 *
 * @param methods of running PostgreSQL's programs, best first; by default those for this platform
 * @param binaries PostgreSQL's programs; by default those that npm installed for this platform
 * @throws StartError that says what is missing and what to do
 */
export async function startPostgres(
  options: PostgresOptions,
  methods: readonly LaunchMethod[] = launchMethods(),
  binaries: Binaries = findBinaries(),
): Promise<PostgresServer> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const place = { dataDir, layout: layoutOf(dataDir), binaries }
  return (await takeOver(place, options)) ?? startNew(place, options, methods)
}

/** The folder of a server, and its programs. */
type Place = { readonly dataDir: string; readonly layout: Layout; readonly binaries: Binaries }

/** Takes over the running server, or stops it if it does not answer on the wanted port. */
async function takeOver(place: Place, { port, log }: PostgresOptions): Promise<PostgresServer | undefined> {
  const leftover = await findLeftover(place.layout)
  if (!leftover) return undefined
  const server = await serverOf(leftover, place, { tcp: port !== undefined, reused: true })
  const suits = port === undefined || (leftover.port === port && leftover.listenAddress !== '')
  if (suits && (await answers(server.url))) {
    log?.(`PostgreSQL is already running (process ${leftover.pid}): using it.`)
    return server
  }
  log?.(`PostgreSQL is already running (process ${leftover.pid}), but not as wanted: stopping it.`)
  await server.stop()
  return undefined
}

async function startNew(
  place: Place,
  options: PostgresOptions,
  methods: readonly LaunchMethod[],
): Promise<PostgresServer> {
  const { dataDir, layout, binaries } = place
  options.log?.(`PostgreSQL is starting in ${dataDir}.`)
  const account = await chooseAccount(binaries, dataDir, methods)
  await ensureCluster(layout, account, options.durability === 'full')
  const socketFolder = onWindows ? '' : await makeSocketFolder(account.uid)
  const tcpPort = options.port ?? (onWindows ? await freePort() : undefined)
  const settings = settingsOf(options, socketFolder, tcpPort)
  const started = await startPostmaster(layout, account, settings).catch(async (error: unknown) => {
    await removeSocketFolder(socketFolder)
    throw error
  })
  await recordSocketFolder(layout, socketFolder)
  return serverOf(started, place, { tcp: options.port !== undefined, reused: false })
}

async function serverOf(
  postmaster: Postmaster,
  { dataDir, layout, binaries }: Place,
  { tcp, reused }: { readonly tcp: boolean; readonly reused: boolean },
): Promise<PostgresServer> {
  const { pid, socketFolder } = postmaster
  const url = await urlOf(postmaster, layout, tcp)
  const stop = async () => {
    await stopPostmaster(pid, layout, binaries)
    await removeSocketFolder(socketFolder)
  }
  let stopped: Promise<void> | undefined
  return {
    url,
    urlFor: (database) => databaseUrl(url, database),
    stop: () => (stopped ??= stop()),
    pid,
    reused,
    dataDir,
  }
}

/** False while the server shuts down because its owner died, and when its socket was deleted. */
function answers(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )
}

function settingsOf(
  { durability, settings = {} }: PostgresOptions,
  socketFolder: string,
  tcpPort: number | undefined,
): Settings {
  return [
    ['timezone', 'UTC'],
    ['log_timezone', 'UTC'],
    ...(durability === 'none' ? withoutDurability : []),
    ...Object.entries(settings),
    ['listen_addresses', tcpPort === undefined ? '' : '127.0.0.1'],
    ['port', String(tcpPort ?? socketPort)],
    ['unix_socket_directories', socketFolder],
  ]
}

async function urlOf(postmaster: Postmaster, layout: Layout, tcp: boolean): Promise<string> {
  const { port, socketFolder } = postmaster
  if (tcp || socketFolder === '') {
    const password = (await readFile(layout.password, 'utf8')).trim()
    return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  }
  // The parameter `host` has the folder; `localhost` only makes it a URL that every parser accepts.
  return `postgres://postgres@localhost:${port}/postgres?host=${encodeURIComponent(socketFolder)}`
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  await once(listener, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
