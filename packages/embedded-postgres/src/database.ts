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
