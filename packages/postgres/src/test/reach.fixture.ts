import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import { type Sql, sqlOf, type StoreHarness } from './stores.fixture.ts'

/** A session with the settings of the stores, for the tests of a file. It keeps the plans of its statements. */
export function useStoreSession(harness: StoreHarness): Sql {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client(clientConfig({ url: harness.stores.url }))
    await client.connect()
  })
  afterAll(() => client.end())
  return (text, values) => sqlOf(client)(text, values)
}

/**
 * How many rows of some tables the work reads.
 *
 * @param sql the session that does the work
 * @param tables a regular expression that matches the tables' names
 */
export async function rowsReadBy(sql: Sql, tables: string, work: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> => {
    const [row] = await sql(
      `select sum(pg_stat_get_xact_tuples_returned(c.oid)
         + pg_stat_get_xact_tuples_fetched(c.oid))::int as n
       from pg_class c where c.relnamespace = 'quipu'::regnamespace and c.relname ~ $1`,
      [tables],
    )
    return Number(row?.['n'])
  }
  await sql('begin')
  const before = await read()
  await work()
  const after = await read()
  await sql('commit')
  return after - before
}
