import { type Timer, Unavailable } from '@quipu/core'
import pg from 'pg'
import { type Database, openDatabase, statement } from '../connection/database.ts'
import { storeError } from '../connection/database-error.ts'
import { requireOwnSession } from '../connection/own-session.ts'
import { UnfitSession } from '../connection/session.ts'
import { databasePing } from './database-ping.ts'

/** The processes' role has rights that production refuses, or lacks those of `quipu_process`. */
export class UnfitRole extends Error {
  override readonly name = 'UnfitRole'
}

/** The database belongs to another cell, or derives the addresses of another one. */
export class UnfitCell extends Error {
  override readonly name = 'UnfitCell'
}

/** A database that a host needs, by its URL and its cell. */
export type DatabaseDemands = {
  readonly url: string
  /** The letter of the cell; left out in an installation without cells. */
  readonly cell?: string | undefined
  /** Whether the role must not be a superuser, own the tables, or hold rights to write one. */
  readonly isProduction: boolean
}

/** The pause before the next check of a database that did not answer. */
const pauseMs = 1_000

/**
 * Refuses a database that a program must not run on; the program calls it before it starts. A database that
 * does not answer passes for the moment, and is checked again every second until it answers.
 *
 * @returns a promise that rejects when a later check refuses the database
 * @throws NotMigrated, UnfitCell, UnfitRole, UnfitSession
 */
export async function refuseUnfitDatabase(
  demands: DatabaseDemands,
  timer: Timer,
): Promise<{ readonly refusedLater: Promise<never> }> {
  const refusedLater = (await isFit(demands)) ? new Promise<never>(() => {}) : checkUntilFit(demands, timer)
  refusedLater.catch(() => {}) // The caller attaches its handler only after it has started.
  return { refusedLater }
}

/** Checks until the database answers. Never resolves, as a fit database needs no further check. */
async function checkUntilFit(demands: DatabaseDemands, timer: Timer): Promise<never> {
  do await timer(pauseMs).done
  while (!(await isFit(demands)))
  return new Promise<never>(() => {})
}

/**
 * Checks the session and the rights of its role alone.
 *
 * @throws UnfitSession, UnfitRole, or Unavailable when the database does not answer
 */
export async function checkRole({ url, isProduction }: Omit<DatabaseDemands, 'cell'>): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 })
  try {
    await requireOwnSession({ url })
    const [found] = await database.query<Rights>(rights, [])
    if (found) requireFitRole(found, isProduction)
  } catch (error) {
    throw unfitSession(error) ?? storeError(error)
  } finally {
    await database.close()
  }
}

/** Checks the letter of the cell and its addresses alone. @throws UnfitCell, or Unavailable without an answer */
export async function checkCell({ url, cell }: Pick<DatabaseDemands, 'url' | 'cell'>): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 })
  try {
    await requireCell(database, cell)
  } finally {
    await database.close()
  }
}

/** @returns false when the database does not answer */
async function isFit({ url, isProduction, cell }: DatabaseDemands): Promise<boolean> {
  const database = openDatabase({ url, poolSize: 1 })
  try {
    await requireOwnSession({ url })
    const [found] = await database.query<Rights>(rights, [])
    if (found) requireFitRole(found, isProduction)
    await databasePing(database)()
    await requireCell(database, cell)
    return true
  } catch (error) {
    const unfit = unfitSession(error)
    if (unfit) throw unfit
    if (storeError(error) instanceof Unavailable) return false
    throw error
  } finally {
    await database.close()
  }
}

// Decided by migrations/0041-cells.sql.
const cellFlaw = statement('cell_flaw')`select quipu.cell_flaw($1) as flaw`

async function requireCell(database: Pick<Database, 'query'>, cell: string | undefined): Promise<void> {
  const [row] = await database.query<{ flaw: string | null }>(cellFlaw, [cell ?? null])
  if (row === undefined || row.flaw === null) return
  throw new UnfitCell(
    `CELL is ${cell ?? 'not set'}, and ${row.flaw}. Set CELL to the database's letter; a database gets one by ` +
      '`quipu-admin migrate` with CELL, and another one by `quipu-admin cell split`: docs/scaling.md.',
  )
}

/** The refusal that stays until the pooler, the role or the server is changed; undefined for an outage. */
function unfitSession(error: unknown): UnfitSession | undefined {
  const cause = error instanceof Unavailable ? error.cause : error
  if (cause instanceof UnfitSession) return cause
  if (!(cause instanceof pg.DatabaseError)) return undefined
  // PgBouncer has this code for everything that it refuses, also for the moment.
  return cause.code === '08P01' && cause.message.includes('startup parameter')
    ? new UnfitSession(
        `DATABASE_URL: a pooler refuses the settings of sessions (${cause.message}). Add \`options\`, ` +
          '`statement_timeout` and `idle_in_transaction_session_timeout` to its ignore_startup_parameters, and set them ' +
          'on the role with `quipu-admin role create`; or connect to PostgreSQL directly.',
      )
    : undefined
}

/**
 * The rights of the session's user, as a session can undo `set role`. Reads only the catalog, which every
 * role may. Returns no row for a database that was never migrated.
 */
const rights = statement('fit.rights')`
  select session_user as role, pg_has_role(session_user, to_regrole('quipu_process'), 'usage') as is_process,
    exists (
      select from pg_roles where rolsuper and pg_has_role(session_user, oid, 'member')
    ) as is_superuser,
    bool_or(pg_has_role(session_user, c.relowner, 'member')) as is_owner,
    min(c.relname) filter (
      where has_table_privilege(session_user, c.oid, 'insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege(session_user, c.oid, 'insert, update, references')
    ) as writable
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'quipu' and c.relkind in ('r', 'p', 'v')
  having count(*) > 0`

type Rights = {
  readonly role: string
  readonly is_process: boolean
  readonly is_superuser: boolean
  readonly is_owner: boolean
  readonly writable: string | null
}

function requireFitRole(found: Rights, isProduction: boolean): void {
  const { role, is_process, is_superuser, is_owner, writable } = found
  const excess = is_superuser
    ? 'has the rights of a superuser'
    : is_owner
      ? 'owns the tables'
      : writable !== null && `may write the table ${writable}`
  if (isProduction && excess)
    throw new UnfitRole(
      `DATABASE_URL: the role ${role} ${excess}, which production refuses, as it can bypass the checks ` +
        'of the ledger. Connect as a role that is only a member of quipu_process: docs/operations/database.md.',
    )
  if (!is_process)
    throw new UnfitRole(
      `DATABASE_URL: the role ${role} may not read the tables. Run as a superuser: grant quipu_process to ${role};`,
    )
}
