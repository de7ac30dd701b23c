import { type Timer, Unavailable } from '@quipu/core'
import { type Database, openDatabase, type Statement } from './database.ts'
import { databasePing } from './database-ping.ts'

/** The processes' role can switch off what guards the ledger: production refuses it. */
export class UnfitRole extends Error {
  override readonly name = 'UnfitRole'
}

export type DatabaseDemands = {
  readonly url: string
  /** Whether the role must be neither a superuser nor the owner of the tables. */
  readonly isProduction: boolean
}

/** How long to wait before a database that did not answer is asked again. */
const pauseMs = 1_000

/**
 * Refuses a database that a program must not run on. Called by a program before it starts.
 *
 * A database that does not answer passes; it is asked again every second until it answers.
 *
 * @returns a promise that rejects, as this function does, when the database is refused later
 * @throws NotMigrated, UnfitRole
 */
export async function refuseUnfitDatabase(
  demands: DatabaseDemands,
  timer: Timer,
): Promise<{ readonly refusedLater: Promise<never> }> {
  const refusedLater = (await isFit(demands)) ? new Promise<never>(() => {}) : ask(demands, timer)
  refusedLater.catch(() => {}) // The caller handles it once it has started.
  return { refusedLater }
}

/** Resolves never: a database that is fit needs no more questions. */
async function ask(demands: DatabaseDemands, timer: Timer): Promise<never> {
  do await timer(pauseMs).done
  while (!(await isFit(demands)))
  return new Promise<never>(() => {})
}

/** @returns false when the database does not answer */
async function isFit({ url, isProduction }: DatabaseDemands): Promise<boolean> {
  const database = openDatabase({ url, poolSize: 1 })
  try {
    await databasePing(database)()
    if (isProduction) await requirePlainRole(database)
    return true
  } catch (error) {
    if (error instanceof Unavailable) return false
    throw error
  } finally {
    await database.close()
  }
}

/** By the session's user: `set role` hides its rights and can be reset. */
const rights: Statement = {
  name: 'fit.rights',
  text: `
    select session_user as role,
      exists (
        select from pg_roles where rolsuper and pg_has_role(session_user, oid, 'member')
      ) as is_superuser,
      pg_has_role(session_user, relowner, 'member') as is_owner
    from pg_class where oid = 'quipu.transfer'::regclass`,
}

type Rights = { readonly role: string; readonly is_superuser: boolean; readonly is_owner: boolean }

async function requirePlainRole(database: Database): Promise<void> {
  const [row] = await database.query<Rights>(rights, [])
  if (row === undefined || !(row.is_superuser || row.is_owner)) return
  const what = row.is_superuser ? 'has the rights of a superuser' : 'owns the tables'
  throw new UnfitRole(
    `DATABASE_URL: the role ${row.role} ${what}, which production refuses, as it can switch off the ` +
      'guards of the ledger. Connect as a role of the processes’ own: docs/operations.md, “The database”.',
  )
}
