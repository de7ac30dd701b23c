import { once } from 'node:events'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { chooseAccount, waysOfThisMachine, type Way } from '../cluster/account.ts'
import { findBinaries, type Binaries } from '../cluster/binaries.ts'
import { type Settings, ensureCluster, layoutOf, type Layout } from '../cluster/cluster.ts'
import { databaseUrl, withClient } from './database.ts'
import { findLeftover, startPostmaster, stopPostmaster } from './postmaster.ts'
import type { Postmaster } from './postmaster-file.ts'
import { makeSocketFolder, recordSocketFolder, removeSocketFolder } from './socket-folder.ts'

const onWindows = process.platform === 'win32'
const socketPort = 5432 // Only part of the socket's name.
const withoutDurability: Settings = [
  ['fsync', 'off'],
  ['full_page_writes', 'off'],
]

export type PostgresOptions = {
  /** A folder of the server's own, made if missing. What it holds is found again by later starts. */
  readonly dataDir: string
  /** `none` is for tests: what was committed survives a crash of the server, not of the machine. */
  readonly durability: 'full' | 'none'
  /** Of `postgresql.conf`. A server that is reused keeps the settings it was started with. */
  readonly settings?: Readonly<Record<string, string>>
  /** Listens there on 127.0.0.1, with a password that is in the URL; otherwise only on a socket. */
  readonly port?: number
  /** Is told, in a sentence, what takes time. */
  readonly log?: (message: string) => void
}

export type PostgresServer = {
  /** Of the database `postgres`, as the superuser `postgres`. */
  readonly url: string
  urlFor(database: string): string
  /** Ends the server, also one that was reused, and waits until it is gone. */
  stop(): Promise<void>
  readonly pid: number
  /** Whether the server was running before: an earlier process died and left it. */
  readonly reused: boolean
  readonly dataDir: string
}

/**
 * Starts PostgreSQL 18 on a folder, or takes over the server that is running there.
 *
 * Two owners of one folder get the same server, and the first to stop it stops it for both: who
 * wants to keep the other out locks the folder before. On Linux the server shuts down when the
 * calling process dies, even killed (or the calling thread ends); elsewhere it stays, and the next
 * start takes it over.
 *
 * @param ways  in which to run PostgreSQL's programs, best first; every platform has its own
 * @param binaries  PostgreSQL's programs; by default those that npm installed for this platform
 * @throws StartError saying what is missing and how to get it
 */
export async function startPostgres(
  options: PostgresOptions,
  ways: readonly Way[] = waysOfThisMachine(),
  binaries: Binaries = findBinaries(),
): Promise<PostgresServer> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const place = { dataDir, layout: layoutOf(dataDir), binaries }
  return (await takeOver(place, options)) ?? startNew(place, options, ways)
}

/** Where a server runs, and of which programs. */
type Place = { readonly dataDir: string; readonly layout: Layout; readonly binaries: Binaries }

/** Takes over the server that runs already, or ends it when it is of no use. */
async function takeOver(
  place: Place,
  { port, log }: PostgresOptions,
): Promise<PostgresServer | undefined> {
  const leftover = await findLeftover(place.layout)
  if (!leftover) return undefined
  const server = await serverOf(leftover, place, { tcp: port !== undefined, reused: true })
  const suits = port === undefined || (leftover.port === port && leftover.listenAddress !== '')
  if (suits && (await answers(server.url))) {
    log?.(`PostgreSQL was still running (process ${leftover.pid}) and is taken over.`)
    return server
  }
  log?.(`PostgreSQL was still running (process ${leftover.pid}) and is ended.`)
  await server.stop()
  return undefined
}

async function startNew(
  place: Place,
  options: PostgresOptions,
  ways: readonly Way[],
): Promise<PostgresServer> {
  const { dataDir, layout, binaries } = place
  options.log?.(`PostgreSQL is starting in ${dataDir}.`)
  const account = await chooseAccount(binaries, dataDir, ways)
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

/** Not so when the server has just learnt that its owner died, or its socket was swept away. */
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
  // The host that counts is the folder; the other makes it a URL that every parser takes.
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
