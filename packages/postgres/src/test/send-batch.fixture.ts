import type pg from 'pg'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import type { Database } from '../connection/database.ts'
import type { Sql } from './stores.fixture.ts'

type SentProtocol<Item, Row extends pg.QueryResultRow, Result> = Pick<
  BatchProtocol<Item, Row, Result>,
  'statement' | 'encode' | 'resultOf'
>

/** The database of a protocol whose batches are sent without the queue, which alone reads back. */
export const withoutReadBack: Pick<Database, 'clockOverride' | 'read'> = {
  clockOverride: () => null,
  read: () => Promise.reject(new Error('nothing is read back')),
}

/** Sends writes as one batch, without the queue. @returns the result of each */
export async function sendBatch<Item, Row extends pg.QueryResultRow, Result>(
  sql: Sql,
  { statement, encode, resultOf }: SentProtocol<Item, Row, Result>,
  writes: readonly Item[],
): Promise<(Result | undefined)[]> {
  const [row] = await sql(statement.text, [...encode(writes)])
  return writes.map((write, place) => resultOf(row as Row, place, write))
}
