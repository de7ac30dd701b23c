import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate } from './migrate.ts'
import { type PostgresOptions, type PostgresStores, postgresStores } from './stores.ts'

/** The stores of a fresh database, and its URL. */
export type TestStores = PostgresStores & { readonly url: string }

/** Stores over a migrated database of the test's own, which `close` drops. */
export async function openTestStores(
  options: Omit<PostgresOptions, 'url'> = {},
): Promise<TestStores> {
  const { url, drop } = await testDatabase({ templateName: 'quipu_postgres', migrate })
  const stores = postgresStores({ ...options, url })
  return {
    ...stores,
    url,
    close: async () => {
      await stores.close()
      await drop()
    },
  }
}
