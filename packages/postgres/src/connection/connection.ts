import { Unavailable } from '@quipu/core'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { unavailable, withoutSession } from './database-error.ts'
import { type AskedSettings, openSession, UnfitSession } from './session.ts'

/** How the database is reached, and its timeouts. */
export type ConnectionOptions = {
  /** `postgres://…`, or the driver's settings for what a URL cannot express (TLS, a password function). */
  readonly url: string | pg.ClientConfig
  /** How long a caller waits for a connection before it gets `Unavailable`. Default 2500. */
  readonly connectTimeoutMs?: number
  /** After how long the server cancels a statement. Default 10000. */
  readonly statementTimeoutMs?: number
  /** How long a commit waits for its standby before its caller gets `Unavailable`. Default 5000. */
  readonly standbyWaitMs?: number
  /** Whether a commit counts only while the server requires a named synchronous standby. Default false. */
  readonly isStandbyRequired?: boolean
}

const bigints = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

const parseInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown
/** The instant that is the farthest from 1970. */
const farthestMs = 8.64e15

/** An instant that no `Date` can be, such as `infinity`, is the nearest that one can: no row breaks a list. */
function instantOf(text: string): Date {
  const parsed = parseInstant(text)
  if (parsed instanceof Date && !Number.isNaN(parsed.getTime())) return parsed
  return new Date(text.startsWith('-') || text.endsWith('BC') ? -farthestMs : farthestMs)
}

/**
 * 64-bit integers, and sums of them, are `bigint`, and every instant is a `Date`; other types are parsed as the driver
 * does by default.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown => {
    if (bigints.has(oid)) return BigInt
    return oid === pg.types.builtins.TIMESTAMPTZ ? instantOf : pg.types.getTypeParser(oid, format)
  },
}

/** The server ends a transaction that sends nothing for so long: its process may have died, and it holds locks. */
const idleInTransactionMs = 2_000

/**
 * The settings that every session of the stores asks for when it starts, and reads back.
 *
 * Every query of this package is a handful of index lookups for any values, so one generic plan serves all
 * executions; planning takes longer than running. A plan is kept until the next `analyze`, so scans and hash
 * or merge joins are off: a plan that is made while a table is small must not scan it once it is large.
 */
const storeSettings: AskedSettings = {
  // These override settings of the role or database, which could acknowledge a commit before it is durable, hide the
  // warning about it, let a commit see rows of before it has waited for a lock, or run another function.
  synchronous_commit: 'on',
  client_min_messages: 'notice',
  default_transaction_isolation: 'read committed',
  search_path: 'pg_catalog,pg_temp',
  datestyle: 'ISO,MDY', // The driver parses no other.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // The statistics say that one tenant owns every row. By that estimate the planner would start processes, and compile
  // expressions, for a query that reads a few rows.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}

/** The settings of the stores' sessions, in the format of `PGOPTIONS`. */
export const sessionSettings: string = Object.entries(storeSettings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ')

/** The settings of these connections' sessions, start parameters of the driver included. */
export const askedSettings = (config: pg.ClientConfig): AskedSettings => ({
  ...storeSettings,
  statement_timeout: String(config.statement_timeout || 0),
  idle_in_transaction_session_timeout: String(config.idle_in_transaction_session_timeout ?? 0),
})

/** The settings of every connection of this package. */
export function clientConfig(options: ConnectionOptions): pg.ClientConfig {
  const { url, connectTimeoutMs = 2_500, statementTimeoutMs = 10_000, isStandbyRequired: pipeline = false } = options
  return {
    keepAlive: true,
    ...withSettings(typeof url === 'string' ? { connectionString: url } : url),
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    query_timeout: 0, // `runStatement` enforces the timeout instead.
    types,
    pipeline, // Looks at the server travel with the commit that they watch.
  }
}

/** Appends `sessionSettings` to the `options` of the URL or config, which would otherwise replace them. */
function withSettings({ connectionString, ...config }: pg.ClientConfig): pg.ClientConfig {
  const ours = { ...config, options: [config.options, sessionSettings].join(' ').trim() }
  if (connectionString === undefined) return ours
  const [address = '', query] = connectionString.split('?')
  const inUrl = new URLSearchParams(query)
  const theirs = inUrl.get('options')
  if (theirs === null) return { ...ours, connectionString }
  inUrl.set('options', `${theirs} ${sessionSettings}`)
  return { ...ours, connectionString: `${address}?${inUrl.toString()}` }
}

/**
 * After how many milliseconds without an answer a connection is cut: 2 s after the statement timeout, at
 * which a live server answers.
 */
export const answerTimeoutMs = ({ statement_timeout: statementMs }: pg.ClientConfig): number =>
  (statementMs || 0) + 2_000

const connected = (client: pg.Client): Promise<unknown> =>
  client.connect().catch((error: unknown) => {
    throw withoutSession(error)
  })

/** Runs `use` with a connection of its own, and closes it. */
export async function withConnection<T>(
  connection: string | pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  // A broken connection already rejects the running statement.
  client.on('error', () => undefined)
  await connected(client)
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Runs `use` with a session of the stores' settings of its own, and closes it. @throws Unavailable as `openSession` */
export const withSession = <T>(config: pg.ClientConfig, use: (client: pg.Client) => Promise<T>): Promise<T> =>
  withConnection(config, async (client) => {
    await openSession(client, askedSettings(config), answerTimeoutMs(config))
    return use(client)
  })

/**
 * A pool that gives out only sessions that `openSession` has taken.
 *
 * @param withinMs  how long a new session may take to answer
 */
export function openPool(config: pg.PoolConfig, withinMs: number, role: 'primary' | 'standby' = 'primary'): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    verify: (client, done) => {
      // The pool listens only after this check, and an `error` event without a listener ends the process.
      client.on('error', () => undefined)
      openSession(client, askedSettings(config), withinMs, role).then(() => done(), done)
    },
  })
  // The pool replaces a broken idle connection on the next `connect`.
  pool.on('error', () => undefined)
  return pool
}

/** One connection to the database. Connects on first use, and again after a loss. */
export type Connection = {
  /** @throws Unavailable */
  client(): Promise<pg.Client>
  /** Closes a session that no longer answers; the next call of `client` opens a new one. */
  drop(client: pg.Client): void
  close(): Promise<void>
}

/**
 * A connection that replaces lost sessions.
 *
 * For `connectTimeoutMs` after a loss, callers wait while it retries with growing pauses; later calls
 * make one try and fail at once with `Unavailable`, until a try succeeds. A session that is not fit is not retried.
 *
 * @param opened  called with each new session before it is used; when it throws, the session is closed
 */
export function reconnecting(
  config: pg.ClientConfig,
  opened: (client: pg.Client) => Promise<void> = async () => {},
): Connection {
  const retryMs = config.connectionTimeoutMillis ?? 0
  let session: Promise<pg.Client> | undefined
  let live: pg.Client | undefined
  let lostAt: number | undefined
  let closed = false

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client(config)
    const clear = (): void => {
      if (live === client) live = session = undefined
    }
    client.on('error', clear)
    client.on('end', clear)
    try {
      await connected(client)
      await openSession(client, askedSettings(config), retryMs || answerTimeoutMs(config))
      await opened(client)
    } catch (error) {
      client.end().catch(ignore)
      throw error
    }
    live = client
    lostAt = undefined
    return client
  }
  const openWithRetries = async (): Promise<pg.Client> => {
    lostAt ??= performance.now()
    for (let delayMs = 20; ; delayMs *= 2) {
      try {
        return await open()
      } catch (error) {
        const tooLong = performance.now() + delayMs > lostAt + retryMs
        if (closed || tooLong || isUnfit(error)) throw unavailable(error)
        await wait(delayMs)
      }
    }
  }
  return {
    client: async () => {
      if (closed) throw unavailable(new Error('the stores are closed'))
      session ??= openWithRetries().catch((error: unknown) => {
        session = undefined
        throw error
      })
      return session
    },
    drop: (client) => {
      if (live === client) live = session = undefined
      client.end().catch(ignore)
    },
    close: async () => {
      closed = true
      await session?.then((client) => client.end()).catch(ignore)
    },
  }
}

const isUnfit = (error: unknown): boolean => error instanceof Unavailable && error.cause instanceof UnfitSession

/** For promises whose connection is discarded whatever their outcome. */
const ignore = (): void => undefined
