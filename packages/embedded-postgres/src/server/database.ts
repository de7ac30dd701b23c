import pg from 'pg'

/**
 * The URL of another database of the same server.
 *
 * The driver decodes names only as `decodeURI` does, so a name cannot contain `?` or `#`.
 */
export function databaseUrl(url: string, database: string): string {
  const result = new URL(url)
  result.pathname = `/${encodeURI(database).replace(/[?#]/g, encodeURIComponent)}`
  return result.href
}

export type DatabaseCopy = {
  /** Default `template0`, which is empty. It must have no connections. */
  readonly template?: string
  /** `file_copy` is twice as quick for a small template, and makes a checkpoint. Default `wal_log`. */
  readonly strategy?: 'wal_log' | 'file_copy'
}

/**
 * Creates a database, empty or as a copy of `template`.
 *
 * @param name used exactly, with its case; at most 63 bytes
 */
export async function createDatabase(
  server: { readonly url: string },
  name: string,
  options: DatabaseCopy = {},
): Promise<void> {
  await withClient(server.url, (client) => createDatabaseBy(client, name, options))
}

/** As `createDatabase`, by an open connection. */
export async function createDatabaseBy(
  client: pg.Client,
  name: string,
  { template = 'template0', strategy = 'wal_log' }: DatabaseCopy = {},
): Promise<void> {
  const [copy, original] = [pg.escapeIdentifier(name), pg.escapeIdentifier(template)]
  await client.query(`create database ${copy} template ${original} strategy ${strategy}`)
}

export type Login = {
  readonly name: string
  /** Only needed over TCP. */
  readonly password?: string
  /** The role of which it becomes a member when it is created. */
  readonly memberOf: string
}

/**
 * Creates a role that can log in, or gives an existing one the password. All databases of the server share it.
 *
 * @returns the URL of the same database, as that role
 */
export async function createLogin(url: string, login: Login): Promise<string> {
  const [name, role] = [login.name, login.memberOf].map((each) => pg.escapeIdentifier(each))
  const password = login.password === undefined ? '' : pg.escapeLiteral(login.password)
  await withClient(url, async (client) => {
    const secret = password && `password ${password}`
    await client.query(`create role ${name} login ${secret} in role ${role}`).catch(async (error: unknown) => {
      if (!isDuplicate(error)) throw error
      if (password) await client.query(`alter role ${name} password ${password}`)
    })
  })
  const result = new URL(url)
  result.username = login.name
  result.password = login.password ?? ''
  return result.href
}

/** The role exists, or a concurrent session creates it. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['42710', '23505'].includes(error.code ?? '')

/** Drops a database if it exists, and ends the connections to it. */
export async function dropDatabase(server: { readonly url: string }, name: string): Promise<void> {
  await withClient(server.url, (client) =>
    client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  )
}

/** Runs `use` with a connection, and closes it. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // a broken connection already rejects the running statement
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
