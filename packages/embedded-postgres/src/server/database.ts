import pg from 'pg'

/**
 * The URL of another database of the same server.
 *
 * The driver decodes no more than `decodeURI` does, so that a name with `?` or `#` cannot be had.
 */
export function databaseUrl(url: string, database: string): string {
  const result = new URL(url)
  result.pathname = `/${encodeURI(database).replace(/[?#]/g, encodeURIComponent)}`
  return result.href
}

/**
 * Creates a database, empty or as a copy of `template`, which nobody may be connected to.
 *
 * @param name  taken as it is, case and all; at most 63 bytes
 */
export async function createDatabase(
  server: { readonly url: string },
  name: string,
  options: { readonly template?: string } = {},
): Promise<void> {
  await withClient(server.url, (client) => createDatabaseBy(client, name, options))
}

/** Does what `createDatabase` does, by a connection that is there. */
export async function createDatabaseBy(
  client: pg.Client,
  name: string,
  options: { readonly template?: string } = {},
): Promise<void> {
  const template = options.template ?? 'template0'
  await client.query(
    `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`,
  )
}

export type Login = {
  readonly name: string
  /** Not needed on a socket. */
  readonly password?: string
  /** The role that it is a member of; only set when it is made. */
  readonly memberOf: string
}

/**
 * Makes a role that can log in; one that is there gets the password. A server's databases share it.
 *
 * @returns the URL of the same database, as that role
 */
export async function createLogin(url: string, login: Login): Promise<string> {
  const [name, role] = [login.name, login.memberOf].map((each) => pg.escapeIdentifier(each))
  const password = login.password === undefined ? '' : pg.escapeLiteral(login.password)
  await withClient(url, async (client) => {
    const secret = password && `password ${password}`
    await client
      .query(`create role ${name} login ${secret} in role ${role}`)
      .catch(async (error: unknown) => {
        if (!isDuplicate(error)) throw error
        if (password) await client.query(`alter role ${name} password ${password}`)
      })
  })
  const result = new URL(url)
  result.username = login.name
  result.password = login.password ?? ''
  return result.href
}

/** The role is there, or another session makes it now. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['42710', '23505'].includes(error.code ?? '')

/** Drops a database if it exists, and ends the connections to it. */
export async function dropDatabase(server: { readonly url: string }, name: string): Promise<void> {
  await withClient(server.url, (client) =>
    client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  )
}

/** Lends a connection to `use`. */
export async function withClient<T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // A connection that breaks fails the statement under way.
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
