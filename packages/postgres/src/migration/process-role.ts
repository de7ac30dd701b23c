import type pg from 'pg'
import { askedSettings, clientConfig } from '../connection/connection.ts'
import { type OwnerConnection, withOwner } from '../connection/owner-session.ts'

/** A login role of the processes. */
export type ProcessRole = {
  readonly name: string
  /** The password as PostgreSQL stores it, such as `SCRAM-SHA-256$4096:…`, so that no log of the server has it. */
  readonly password: string
}

/**
 * Creates a login role that is a member of `quipu_process` only; of a role that exists it makes a member, and
 * keeps its password. Sets the settings of the stores' sessions on it. The database must have been migrated.
 *
 * @param connection  of the role that migrates
 * @returns whether the role was created
 * @throws Error when the connection's role may not
 */
export async function createProcessRole(
  connection: OwnerConnection,
  { name, password }: ProcessRole,
): Promise<boolean> {
  return withOwner(connection, async (client) => {
    const { rows } = await client.query<{ create: string; grant: string; exists: boolean }>(
      `select format('create role %I login password %L in role quipu_process', $1::text, $2::text) as create,
         format('grant quipu_process to %I', $1::text) as grant,
         exists (select from pg_roles where rolname = $1) as exists`,
      [name, password],
    )
    const [statements] = rows
    if (statements === undefined) throw new Error('the statements were not built')
    await client.query(statements.exists ? statements.grant : statements.create)
    await setRoleSettings(client)
    return !statements.exists
  })
}

/** One statement a setting, for each role of the processes that the session's role may change. */
const settingStatements = `
  select format('alter role %I in database %I set %I to %s', r.rolname, current_database(), a.name,
    (select string_agg(quote_literal(v), ', ') from unnest(string_to_array(a.value, ',')) v)) as text
  from pg_roles r cross join unnest($1::text[], $2::text[]) a (name, value)
  where r.rolcanlogin and not r.rolsuper and pg_has_role(r.oid, 'quipu_process', 'member') and exists (
    select from pg_roles me where me.rolname = current_user and (me.rolsuper or me.rolcreaterole and exists (
      select from pg_auth_members m
      where m.roleid = r.oid and m.admin_option and pg_has_role(m.member, 'usage')
    ))
  )`

/**
 * Sets the settings of the stores' sessions on the login roles of the processes in this database, so that they hold
 * also where a pooler drops those that a connection starts with. Leaves out roles that the session's role may not change.
 */
export async function setRoleSettings(client: pg.Client): Promise<void> {
  const asked = askedSettings(clientConfig({ url: '' }))
  const values = [Object.keys(asked), Object.values(asked)]
  const { rows } = await client.query<{ text: string }>(settingStatements, values)
  for (const { text } of rows) await client.query(text)
}
