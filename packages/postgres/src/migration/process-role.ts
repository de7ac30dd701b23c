import type pg from 'pg'
import { withConnection } from '../connection/connection.ts'

/** A login role of the processes. */
export type ProcessRole = {
  readonly name: string
  /** The password as PostgreSQL stores it, such as `SCRAM-SHA-256$4096:…`, so that no log of the server has it. */
  readonly password: string
}

/**
 * Creates a login role that is a member of `quipu_process` only; of a role that exists it makes a member, and
 * keeps its password. The database must have been migrated.
 *
 * @param connection  of the role that migrates
 * @returns whether the role was created
 * @throws Error when the connection's role may not
 */
export async function createProcessRole(
  connection: string | pg.ClientConfig,
  { name, password }: ProcessRole,
): Promise<boolean> {
  return withConnection(connection, async (client) => {
    const { rows } = await client.query<{ create: string; grant: string; exists: boolean }>(
      `select format('create role %I login password %L in role quipu_process', $1::text, $2::text) as create,
         format('grant quipu_process to %I', $1::text) as grant,
         exists (select from pg_roles where rolname = $1) as exists`,
      [name, password],
    )
    const [statements] = rows
    if (statements === undefined) throw new Error('the statements were not built')
    await client.query(statements.exists ? statements.grant : statements.create)
    return !statements.exists
  })
}
