import { Unavailable } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { runStatement } from '../connection/run-statement.ts'
import { answerTimeoutMs, clientConfig, withSession } from '../connection/connection.ts'
import { type OwnerConnection, withOwner } from '../connection/owner-session.ts'
import { requireDirect } from '../connection/own-session.ts'
import { boundedTransactions, type MigrationBounds } from './bounded-transaction.ts'
import { lockMigrations } from './migration-lock.ts'
import { setRoleSettings } from './process-role.ts'
import { grantRights, prepareRoles, takeOwnership } from './roles.ts'

/** The bounds of `migrate`, and the letter of the cell. */
export type MigrationOptions = MigrationBounds & {
  /** The letter that the database gets, one of `cellLetters`, and keeps. Left out: it has none, or keeps its own. */
  readonly cell?: string | undefined
}

/** The same path from `src` and from `dist`. */
const folder = new URL('../../migrations/', import.meta.url)

/** A file of the folder. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string }

/**
 * Brings the database up to date: creates the roles `quipu_owner` and `quipu_process`, runs each missing
 * migration in a transaction of its own, grants rights, and creates the partitions of the coming months.
 *
 * Concurrent calls are safe: one does the work, and the others wait and say for whom. So are payments meanwhile: a transaction
 * that does not get its locks in time is rolled back and retried.
 *
 * @returns the names of the migrations that it has run
 * @throws RolesMissing when the connection's role may not create the roles; nothing is written
 * @throws Unavailable when the server is a standby or read-only
 * @throws UnfitSession behind a pooler, which would keep the lock of a migration after its end
 * @throws Error when no attempt got its locks, when a migration fails, when the file of a migration that was run
 *   before has changed, or when the database has the letter of another cell. Migrations that ran before the error stay
 */
export async function migrate(connection: OwnerConnection, options: MigrationOptions = {}): Promise<readonly string[]> {
  return migrateFrom(folder, connection, options)
}

/** `migrate` with the migrations of any folder. */
export async function migrateFrom(
  source: URL,
  connection: OwnerConnection,
  { cell, ...bounds }: MigrationOptions,
): Promise<readonly string[]> {
  return withOwner(connection, async (client) => {
    await requirePrimary(client)
    await requireDirect(client)
    await lockMigrations(client, bounds.notify)
    await prepareRoles(client)
    const seen = await seenMigrations(client)
    const isEmpty = seen.size === 0 // No user waits for the locks of a new database.
    const bounded = boundedTransactions(client, { ...bounds, ...(isEmpty ? { transactionTimeoutMs: 0 } : {}) })
    await bounded('the change of owners', () => takeOwnership(client))
    const ran: string[] = []
    for (const migration of await readMigrations(source)) {
      const checksum = seen.get(migration.name)
      if (checksum === undefined) {
        await bounded(`migration ${migration.name}`, () => run(client, migration))
        ran.push(migration.name)
      } else if (checksum !== migration.checksum)
        throw new Error(
          `migration ${migration.name} has changed since it was run: restore the file and add a new ` +
            'migration, or begin with an empty database if its data is not needed',
        )
    }
    await bounded('the grant of rights', () => grantRights(client))
    await bounded('the settings of roles', () => setRoleSettings(client))
    await bounded('partition creation', async () => {
      await client.query('select quipu.ensure_partitions()')
    })
    if (cell !== undefined) await bounded('the letter of the cell', () => giveLetter(client, cell))
    return ran
  })
}

// Decided by migrations/0041-cells.sql.
async function giveLetter(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ letter: string | null }>('select letter from quipu.cell for update')
  const letter = rows[0]?.letter ?? cell
  if (letter !== cell) throw new Error(`the database belongs to cell ${letter}, and CELL is ${cell}`)
  await client.query('select quipu.set_cell($1)', [cell])
}

/**
 * How long the creation of a partition waits for its lock. A dump or long report can block it, and it blocks
 * all later users of the table, so it gives up soon and is tried again later.
 */
const lockMs = 1_000

// Decided by migrations/0022-partitions.sql.

/**
 * Creates the partitions of this month and the next three, or this day and the next three, by the database's clock.
 *
 * Call it about once a day in a long-running host, and again soon after it throws; `migrate` does it as well.
 * Without it, later rows go to the default partitions, where they are found as well.
 *
 * @throws Error when a long read blocks the tables, or the database does not answer
 */
export async function ensurePartitions(connection: string | pg.ClientConfig): Promise<void> {
  const config = clientConfig({ url: connection })
  const run = (client: pg.Client, text: string, values: readonly unknown[] = []) =>
    runStatement(client, { text }, values, answerTimeoutMs(config))
  await withSession(config, async (client) => {
    // Not a parameter of the start, which a pooler drops.
    await run(client, `select set_config('lock_timeout', $1, false)`, [String(lockMs)])
    await run(client, 'select quipu.ensure_partitions()')
  })
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
  if (rows[0]?.is_standby) throw new Unavailable('store', 'the server is a standby: run the migration on its primary')
  if (rows[0]?.is_read_only)
    throw new Unavailable('store', 'the server is set read-only: run the migration where writes are accepted')
}

/** The migrations of this release, in the order in which they run. */
export const migrationNames = async (source: URL = folder): Promise<readonly string[]> =>
  (await readdir(source)).filter((name) => name.endsWith('.sql')).toSorted()

export async function readMigrations(source: URL = folder): Promise<readonly Migration[]> {
  return Promise.all(
    (await migrationNames(source)).map(async (name) => {
      const sql = await readFile(new URL(name, source), 'utf8')
      return { name, sql, checksum: sha256(sql) }
    }),
  )
}

async function run(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('set local role quipu_owner; set local quipu.migrating = on')
  await client.query(sql)
  await grantRights(client)
  const record = 'insert into quipu.migration (name, checksum) values ($1, $2)'
  await client.query(record, [name, checksum])
}
