import { isBalanced } from '@quipu/core/adapter'
import { type Builders, builders, testOperatorTokens, testSignInKeys, type World } from '@quipu/contracts'
import { createLogin, openProxy, type Proxy } from '@quipu/embedded-postgres'
import { testCluster, type TestDatabase, testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { withConnection } from '../connection/connection.ts'
import { migrate } from '../migration/migrate.ts'
import { allowTestClock } from '../migration/clock-override.ts'
import { type PostgresOptions, type PostgresStores, postgresStores } from '../stores.ts'

/** The stores of a fresh database. Their role is a member of `quipu_process` only. */
export type TestStores = PostgresStores & {
  /** For a superuser. */
  readonly url: string
  /** For the role of the stores. */
  readonly processUrl: string
}

/** A migrated database of the test's own, with the role of the stores. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const database = await testDatabase({
    templateName: 'quipu_postgres',
    migrate: async (draft) => {
      await migrateForTests(draft)
      await makeProcessRole(draft)
    },
  })
  return database
}

/** The folder of a stopped server with the migrated database `quipu`, for tests that start copies of it. */
export const migratedCluster = (): Promise<string> =>
  testCluster({ templateName: 'quipu_postgres', migrate: migrateForTests })

/** Lets payments begin on a copy of that server: a process cannot know that it is none of an older disk. */
export const beginPayments = (url: string): Promise<unknown> =>
  withConnection(url, (client) => client.query('select quipu.accept_server(pg_postmaster_start_time())'))

/** Limits that no busy machine reaches. A test of a limit sets its own. */
const patient = { connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 }

/**
 * Stores over a migrated database of the test's own, which `close` drops.
 *
 * @param open opens the stores; those of this version by default
 * @param newDatabase  a database of the run's server by default
 */
export async function openTestStores(
  options: Omit<PostgresOptions, 'url'> = {},
  open: typeof postgresStores = postgresStores,
  newDatabase: typeof migratedDatabase = migratedDatabase,
): Promise<TestStores> {
  const { url, drop } = await newDatabase()
  const processUrl = asProcess(url)
  const stores = open({ ...patient, ...options, url: processUrl })
  return {
    ...stores,
    url,
    processUrl,
    close: async () => {
      await stores.close()
      await drop()
    },
  }
}

const processRole = 'quipu_test_process'

/** Creates the role of the stores in a migrated database. */
export const makeProcessRole = (url: string): Promise<string> =>
  createLogin(url, { name: processRole, memberOf: 'quipu_process' })

/** Migrates a database, in which the people of tests act at instants of their own. */
export async function migrateForTests(url: string): Promise<void> {
  await migrate(url, { cell: process.env['CELL'] })
  await insertTestOperators(url)
  await allowTestClock(url)
}

/** Inserts `testOperatorTokens` and `testSignInKeys` without audit entries, so that the audit log is empty. */
async function insertTestOperators(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const { token, hash } of testOperatorTokens()) {
      const { id, person, label, role, createdAt, expiresAt } = token
      await client.query(
        `insert into quipu.operator_token (id, person, label, role, hash, created_at, created_by,
           activated_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, 'database owner', $6, $7)`,
        [id, person, label, role, hash, createdAt, expiresAt],
      )
    }
    for (const { id, key } of testSignInKeys)
      await client.query('insert into quipu.sign_in_key (id, key) values ($1, $2)', [id, Buffer.from(key)])
  } finally {
    await client.end()
  }
}

/** The URL of the same database for the role of the stores. */
export function asProcess(url: string): string {
  const changed = new URL(url)
  changed.username = processRole
  return changed.href
}

/** A superuser's connection. A statement that waits so long for a lock waits for what a failed test has left behind. */
export const testClient = (url: string): pg.Client => new pg.Client({ connectionString: url, lock_timeout: 120_000 })

/** Runs any statement and returns its rows unparsed. */
export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

export const sqlOf =
  (client: pg.Client): Sql =>
  async (text, values) =>
    (await client.query<Record<string, unknown>>(text, values)).rows

/** A database with its stores, builders of test data, and a superuser's connection. */
export type StoreHarness = Builders & {
  readonly stores: TestStores
  readonly sql: Sql
  /** The input of the contracts' builders. Its clock is the computer's, so `advance` does nothing. */
  readonly world: World
  /** Expects that the wallet's balance is the sum of its postings. */
  expectBalanced(tenantId: string): Promise<void>
  close(): Promise<void>
}

export async function openStoreHarness(options: Omit<PostgresOptions, 'url'> = {}): Promise<StoreHarness> {
  const stores = await openTestStores(options)
  const client = testClient(stores.url)
  await client.connect()
  const made = builders(stores)
  return {
    ...made,
    stores,
    sql: sqlOf(client),
    world: { ...stores, ...made, advance: () => Promise.resolve() },
    expectBalanced: async (tenantId) => {
      const wallet = await stores.wallets.find(tenantId)
      expect(wallet && isBalanced(wallet, await stores.wallets.totals(tenantId))).toBe(true)
    },
    close: async () => {
      await client.end()
      await stores.close()
    },
  }
}

/** Opens a harness before the tests of a file and closes it after them. It is empty outside of hooks and tests. */
export function useStoreHarness(options?: Omit<PostgresOptions, 'url'>): StoreHarness {
  const harness = {} as StoreHarness
  beforeAll(async () => {
    Object.assign(harness, await openStoreHarness(options))
  })
  afterAll(() => harness.close())
  return harness
}

/** More stores over the same database, through a proxy that can cut their connections. */
export async function openFragileStores(
  url: string,
  options: Omit<PostgresOptions, 'url'> = {},
): Promise<{ readonly fragile: PostgresStores; readonly proxy: Proxy }> {
  const proxy = await openProxy(url)
  return { fragile: postgresStores({ ...options, url: proxy.url }), proxy }
}
