import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabaseBy, databaseUrl, dropDatabase, withClient } from '../server/database.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface ProvidedContext {
    /** A port of 127.0.0.1 that starts the run's PostgreSQL and tells its URL. */
    readonly embeddedPostgresPort: number
  }
}

export type TestDatabase = {
  readonly url: string
  /** Ends every connection to the database and drops it; optional, as the run's end drops all. */
  drop(): Promise<void>
}

export type TestDatabaseOptions = {
  /** Names the set of migrations: one template is made for each. */
  readonly templateName: string
  /** Brings an empty database up to date, and closes its connections. */
  readonly migrate: (url: string) => Promise<unknown>
}

/**
 * Gives a test a migrated database of its own, copied from a template that the first call of the
 * run makes. Needs this package's `vitest-global-setup.ts` among Vitest's `globalSetup`.
 */
export async function testDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  return copyTemplate(await testServerUrl(), options)
}

/** The URL of the run's PostgreSQL, started by the first call. */
export async function testServerUrl(): Promise<string> {
  const port: number | undefined = inject('embeddedPostgresPort')
  if (port === undefined) {
    throw new Error(
      "Vitest's globalSetup lacks embedded-postgres/src/testing/vitest-global-setup.ts: add it.",
    )
  }
  return askForUrl(port)
}

/** @param port  where the run's global setup listens */
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
    // Whoever comes second waits here, until the first has made the template.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [templateName])
    const found = await client.query('select from pg_database where datname = $1', [templateName])
    if (found.rowCount === 0) await makeTemplate(client, server, templateName, migrate)
    await client.query('select pg_advisory_unlock_all()')
    await createDatabaseBy(client, name, { template: templateName })
  })
  return { url: databaseUrl(serverUrl, name), drop: () => dropDatabase(server, name) }
}

/** The template gets its name when it is complete, so a failed migration leaves none behind. */
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
  const from = pg.escapeIdentifier(draft)
  // A template that somebody is connected to cannot be copied.
  await client.query(`alter database ${from} with allow_connections false`)
  await client.query(`alter database ${from} rename to ${pg.escapeIdentifier(templateName)}`)
}
