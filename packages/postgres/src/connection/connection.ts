import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { unavailable } from './database-error.ts'
import { openSession } from './session.ts'

/** How the database is reached and how long it may take. */
export type ConnectionOptions = {
  /** `postgres://…`, or the driver's settings where a URL cannot say it (TLS, a password function). */
  readonly url: string | pg.ClientConfig
  /** How long a caller waits for a connection before it is told `Unavailable`. Default 2500. */
  readonly connectTimeoutMs?: number
  /** When a statement is given up. Default 10000. */
  readonly statementTimeoutMs?: number
}

const bigints = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

/** 64-bit integers, and sums of them, are `bigint`; the rest as the driver has it. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown =>
    bigints.has(oid) ? BigInt : pg.types.getTypeParser(oid, format),
}

/**
 * What the sessions of the stores start with, as `PGOPTIONS` takes it.
 *
 * Every query here is a handful of index lookups, whatever its values are: so it is planned once for
 * all of them. Else one whose first values were few would be planned anew each time, which takes longer
 * than to run it. The plan is kept until the next analysis, and one that was made while a table was
 * small must not turn out to be a scan of what has grown large.
 */
export const sessionSettings: string = [
  // A role's or database's own setting must not make an answered commit less than durable, nor hide
  // the warning that says so.
  'synchronous_commit=on',
  'client_min_messages=notice',
  'plan_cache_mode=force_generic_plan',
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((method) => `enable_${method}=off`),
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

/** The settings of every connection of this package. */
export function clientConfig(options: ConnectionOptions): pg.ClientConfig {
  const { url, connectTimeoutMs = 2_500, statementTimeoutMs = 10_000 } = options
  return {
    keepAlive: true,
    ...withSettings(typeof url === 'string' ? { connectionString: url } : url),
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: 0, // `ask` keeps the time instead.
    types,
  }
}

/** Adds our settings to what the session is to start with: a URL's own would replace them. */
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

/** How long an answer may take. A server that answers at all ends a statement itself before that. */
export const answerMs = ({ statement_timeout: statementMs }: pg.ClientConfig): number =>
  (statementMs || 0) + 2_000

/** A connection for one piece of work. */
export async function withConnection<T>(
  connection: string | pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  // A connection that breaks fails the statement that is under way: that says it all.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** One connection to the database, made when it is needed and made again when it was lost. */
export type Connection = {
  /** @throws Unavailable */
  client(): Promise<pg.Client>
  /** Gives up a session that no longer answers; the next caller gets a new one. */
  drop(client: pg.Client): void
  close(): Promise<void>
}

/**
 * A connection that outlives its sessions.
 *
 * After a loss it is tried again for `connectTimeoutMs`, so that a database which is quickly back
 * was never gone; from then on every caller is told at once, until a try succeeds.
 */
export function reconnecting(config: pg.ClientConfig): Connection {
  const patienceMs = config.connectionTimeoutMillis ?? 0
  let session: Promise<pg.Client> | undefined
  let live: pg.Client | undefined
  let lostAt: number | undefined
  let closed = false

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client(config)
    const forget = (): void => {
      if (live === client) live = session = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    try {
      await client.connect()
      await openSession(client, patienceMs || answerMs(config))
    } catch (error) {
      client.end().catch(ignore)
      throw error
    }
    live = client
    lostAt = undefined
    return client
  }
  const openPatiently = async (): Promise<pg.Client> => {
    lostAt ??= performance.now()
    for (let delayMs = 20; ; delayMs *= 2) {
      try {
        return await open()
      } catch (error) {
        const tooLong = performance.now() + delayMs > lostAt + patienceMs
        if (closed || tooLong) throw unavailable(error)
        await wait(delayMs)
      }
    }
  }
  return {
    client: async () => {
      if (closed) throw unavailable(new Error('the stores are closed'))
      session ??= openPatiently().catch((error: unknown) => {
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

/** The connection is given up in any case. */
const ignore = (): void => undefined
