import pg from 'pg'

/** Runs one statement on a connection of its own, which a fault may end. */
export async function runSql<Row extends pg.QueryResultRow>(
  connection: string | pg.ClientConfig,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined) // The statement rejects as well.
  await client.connect()
  try {
    return (await client.query<Row>(sql, [...values])).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
