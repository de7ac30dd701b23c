import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { makeWhole } from '../cluster/own-folder.ts'
import { createDatabase, createDatabaseBy, databaseUrl, dropDatabase, withClient } from '../server/database.ts'
import { startPostgres } from '../server/server.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface ProvidedContext {
    /** A port of 127.0.0.1; a connection to it starts the run's PostgreSQL and returns its URL. */
    readonly embeddedPostgresPort: number
  }
}

export type TestDatabase = {
  readonly url: string
  /** Ends all connections to the database, and drops it. Optional, as the end of the run drops all. */
  drop(): Promise<void>
}

export type TestDatabaseOptions = {
  /** The name of the set of migrations; each has one template. */
  readonly templateName: string
  /** Brings an empty database up to date, and closes its connections. */
  readonly migrate: (url: string) => Promise<unknown>
}

/**
 * Creates a migrated database for a test, as a copy of a template that the first call of the run creates.
 * Needs this package's `vitest-global-setup.ts` in Vitest's `globalSetup`.
 */
export async function testDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  return copyTemplate(await testServerUrl(), options)
}

/**
 * A stopped server with the migrated database `quipu`, made by the first call of the run, for tests that start copies
 * of it: all have one system identifier. Its folder is in that of the run's server.
 *
 * @returns its data folder
 */
export async function testCluster({ templateName, migrate }: TestDatabaseOptions): Promise<string> {
  return withClient(await testServerUrl(), async (client) => {
    // Concurrent callers wait here until the first has made it. The end of the session unlocks.
    await client.query('select pg_advisory_lock(hashtextextended($1, 1))', [templateName])
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const folder = path.join(rows[0]?.data_directory ?? '', '../..', templateName)
    await makeWhole(folder, async (half) => {
      const server = await startPostgres({ dataDir: half, durability: 'none' })
      try {
        await createDatabase(server, 'quipu')
        await migrate(server.urlFor('quipu'))
      } finally {
        await server.stop()
      }
    })
    return folder
  })
}

/** The URL of the run's PostgreSQL, which the first call starts. */
export async function testServerUrl(): Promise<string> {
  const port: number | undefined = inject('embeddedPostgresPort')
  if (port === undefined) {
    throw new Error("Vitest's globalSetup lacks embedded-postgres/src/testing/vitest-global-setup.ts: add it.")
  }
  return askForUrl(port)
}

/** @param port the port of the run's global setup */
export async function askForUrl(port: number): Promise<string> {
  let answer = ''
  for await (const chunk of connect(port, '127.0.0.1')) answer += String(chunk)
  const { url, error } = JSON.parse(answer) as { url?: string; error?: string }
  if (url === undefined) throw new Error(error)
  return url
}

export async function copyTemplate(
  serverUrl: string,
  { templateName, migrate }: TestDatabaseOptions,
): Promise<TestDatabase> {
  const server = { url: serverUrl }
  const name = `${templateName}_${randomBytes(6).toString('hex')}`
  await withClient(serverUrl, async (client) => {
    // Concurrent callers wait here until the first has created the template.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [templateName])
    const found = await client.query('select from pg_database where datname = $1', [templateName])
    if (found.rowCount === 0) await makeTemplate(client, server, templateName, migrate)
    await client.query('select pg_advisory_unlock_all()')
    await createDatabaseBy(client, name, { template: templateName, strategy: 'file_copy' })
  })
  return { url: databaseUrl(serverUrl, name), drop: () => dropDatabase(server, name) }
}

const catalogs = `
  select oid::regclass::text as name from pg_class
  where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r' and not relisshared`

/** Renames the template once it is complete, so that a failed migration leaves none. */
async function makeTemplate(
  client: pg.Client,
  server: { readonly url: string },
  templateName: string,
  migrate: (url: string) => Promise<unknown>,
): Promise<void> {
  const draft = `${templateName}_draft`
  await dropDatabase(server, draft)
  await createDatabaseBy(client, draft)
  await migrate(databaseUrl(server.url, draft))
  // Migrations leave dead rows in the catalogs: half of what each copy would copy.
  // The tables themselves stay as new: the planner takes one that was vacuumed for empty.
  await withClient(databaseUrl(server.url, draft), async (own) => {
    const { rows } = await own.query<{ readonly name: string }>(catalogs)
    await own.query(`vacuum full ${rows.map(({ name }) => name).join(', ')}`)
  })
  const from = pg.escapeIdentifier(draft)
  // A template with connections cannot be copied.
  await client.query(`alter database ${from} with allow_connections false`)
  await client.query(`alter database ${from} rename to ${pg.escapeIdentifier(templateName)}`)
}
