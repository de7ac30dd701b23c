import { isBalanced } from '@quipu/core/adapter'
import { type Builders, builders } from '@quipu/contracts'
import { createLogin, openProxy, type Proxy } from '@quipu/embedded-postgres'
import { type TestDatabase, testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { expect } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { type PostgresOptions, type PostgresStores, postgresStores } from '../stores.ts'

/** The stores of a fresh database, connected as a member of `quipu_process` and of nothing else. */
export type TestStores = PostgresStores & {
  /** Of a superuser. */
  readonly url: string
  /** Of the role that the stores connect as. */
  readonly processUrl: string
}

/** A migrated database of the test's own, and the role that processes connect as. */
export const migratedDatabase = (): Promise<TestDatabase> =>
  testDatabase({
    templateName: 'quipu_postgres',
    migrate: async (draft) => {
      await migrate(draft)
      await makeProcessRole(draft)
    },
  })

/**
 * Stores over a migrated database of the test's own, which `close` drops.
 *
 * @param open  of this version unless told otherwise
 */
export async function openTestStores(
  options: Omit<PostgresOptions, 'url'> = {},
  open: typeof postgresStores = postgresStores,
): Promise<TestStores> {
  const { url, drop } = await migratedDatabase()
  const processUrl = asProcess(url)
  const stores = open({ ...options, url: processUrl })
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

/** Makes the role that the stores connect as, in a database that is migrated. */
export const makeProcessRole = (url: string): Promise<string> =>
  createLogin(url, { name: processRole, memberOf: 'quipu_process' })

/** The same database, as the role that the stores connect as. */
export function asProcess(url: string): string {
  const changed = new URL(url)
  changed.username = processRole
  return changed.href
}

/** Any statement, its rows as they are. */
export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

export const sqlOf =
  (client: pg.Client): Sql =>
  async (text, values) =>
    (await client.query<Record<string, unknown>>(text, values)).rows

/** A database with its stores, test data for them, and a connection that looks past them. */
export type Bench = Builders & {
  readonly stores: TestStores
  readonly sql: Sql
  /** Expects that the wallet's balance is what its postings say. */
  expectBalanced(tenantId: string): Promise<void>
  close(): Promise<void>
}

export async function openBench(options: Omit<PostgresOptions, 'url'> = {}): Promise<Bench> {
  const stores = await openTestStores(options)
  const client = new pg.Client(stores.url)
  await client.connect()
  return {
    ...builders(stores),
    stores,
    sql: sqlOf(client),
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

/** Further stores over the same database, down a line that can be cut. */
export async function openFragileStores(
  url: string,
  options: Omit<PostgresOptions, 'url'> = {},
): Promise<{ readonly fragile: PostgresStores; readonly proxy: Proxy }> {
  const proxy = await openProxy(url)
  return { fragile: postgresStores({ ...options, url: proxy.url }), proxy }
}
