import { afterAll, beforeAll } from 'vitest'
import { type Database, openDatabase } from '../connection/database.ts'
import { openStoreHarness, type StoreHarness } from './stores.fixture.ts'

/**
 * Opens a store harness and a `Database` of the stores' role before the tests of the file, and closes them after. A
 * test builds a store over the `Database`, whose statements it may change or delay.
 */
export function useStoreDatabase(): () => { readonly harness: StoreHarness; readonly database: Database } {
  let harness: StoreHarness
  let database: Database
  beforeAll(async () => {
    harness = await openStoreHarness()
    database = openDatabase({ url: harness.stores.processUrl })
  })
  afterAll(async () => {
    await database.close()
    await harness.close()
  })
  return () => ({ harness, database })
}
