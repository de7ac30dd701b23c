import { Unavailable } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { runStatement } from '../connection/run-statement.ts'
import { answerTimeoutMs, clientConfig, withConnection } from '../connection/connection.ts'
import { boundedTransactions, type MigrationBounds } from './bounded-transaction.ts'
import { grantRights, prepareRoles, takeOwnership } from './roles.ts'

/** Beside `src` and `dist` alike. */
const folder = new URL('../../migrations/', import.meta.url)

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string }

/**
 * Brings the database up to date: runs the migrations that it has not seen, each in a transaction of
 * its own, and makes the partitions of the months to come. Makes the roles `quipu_owner` and
 * `quipu_process` and their rights as well.
 *
 * Safe to run by many processes at once: one does the work, the others wait for it. Safe while payments
 * are made: its transactions give up a lock that they do not get, and are tried again.
 *
 * @returns the names of those that it has run
 * @throws RolesMissing when the connection's role may not make the roles; nothing was written
 * @throws Unavailable when the server is a standby or read-only
 * @throws Error when a lock was not to be had in all attempts, when a migration failed, or when one
 *   that was run before has been changed since. What was run before that stays
 */
export async function migrate(
  connection: string | pg.ClientConfig,
  bounds: MigrationBounds = {},
): Promise<readonly string[]> {
  return migrateFrom(folder, connection, bounds)
}

/** `migrate` with the migrations of any folder. */
export async function migrateFrom(
  source: URL,
  connection: string | pg.ClientConfig,
  bounds: MigrationBounds,
): Promise<readonly string[]> {
  return withConnection(connection, async (client) => {
    await requirePrimary(client)
    await client.query(`select pg_advisory_lock(hashtextextended('quipu.migrate', 0))`)
    await prepareRoles(client)
    const seen = await seenMigrations(client)
    const isEmpty = seen.size === 0 // Nobody waits for it, and a slow machine may take its time.
    const bounded = boundedTransactions(client, {
      ...bounds,
      ...(isEmpty ? { transactionTimeoutMs: 0 } : {}),
    })
    await bounded('the change of owners', () => takeOwnership(client))
    const ran: string[] = []
    for (const migration of await readMigrations(source)) {
      const checksum = seen.get(migration.name)
      if (checksum === undefined) {
        await bounded(`migration ${migration.name}`, () => run(client, migration))
        ran.push(migration.name)
      } else if (checksum !== migration.checksum)
        throw new Error(
          `migration ${migration.name} was changed after it had been run: write a new one instead, ` +
            'or begin with an empty database where there is nothing to lose',
        )
    }
    await bounded('the grant of rights', () => grantRights(client))
    await bounded('partition creation', async () => {
      await client.query('select quipu.ensure_partitions()')
    })
    return ran
  })
}

/**
 * How long a new partition waits for those who read. A dump or a long report has locks that it must
 * wait for, and behind it everybody else waits: so not for long, and again later.
 */
const lockMs = 1_000

/**
 * Makes the monthly partitions of this month and the next three, by the database's clock.
 *
 * To be called once a day or so by a host that runs for long, and soon again when it throws;
 * `migrate` does it as well. Without it nothing is lost: rows of later months go to the default
 * partitions.
 *
 * @throws when somebody has been reading the tables for long, or the database cannot be asked
 */
export async function ensurePartitions(connection: string | pg.ClientConfig): Promise<void> {
  const config = { ...clientConfig({ url: connection }), lock_timeout: lockMs }
  const question = { text: 'select quipu.ensure_partitions()' }
  await withConnection(config, (client) =>
    runStatement(client, question, [], answerTimeoutMs(config)),
  )
}

async function seenMigrations(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  await client.query(`
    create table if not exists quipu.migration (
      name text collate "C" primary key,
      checksum text not null,
      run_at timestamptz not null default clock_timestamp()
    )`)
  const { rows } = await client.query<Migration>('select name, checksum from quipu.migration')
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

async function requirePrimary(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_standby: boolean; is_read_only: boolean }>(`
    select pg_is_in_recovery() as is_standby,
      current_setting('transaction_read_only')::boolean as is_read_only`)
  if (rows[0]?.is_standby)
    throw new Unavailable('store', 'the server is a standby: migrate through its primary')
  if (rows[0]?.is_read_only)
    throw new Unavailable('store', 'the server is set read-only: migrate where writes are accepted')
}

/** What this release is made for, in the order in which they are run. */
export const migrationNames = async (source: URL = folder): Promise<readonly string[]> =>
  (await readdir(source)).filter((name) => name.endsWith('.sql')).toSorted()

async function readMigrations(source: URL): Promise<readonly Migration[]> {
  return Promise.all(
    (await migrationNames(source)).map(async (name) => {
      const sql = await readFile(new URL(name, source), 'utf8')
      return { name, sql, checksum: sha256(sql) }
    }),
  )
}

async function run(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('set local role quipu_owner')
  await client.query(sql)
  await grantRights(client)
  const record = 'insert into quipu.migration (name, checksum) values ($1, $2)'
  await client.query(record, [name, checksum])
}
