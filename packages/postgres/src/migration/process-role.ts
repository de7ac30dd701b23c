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

/** Drops a login role of the processes. @returns why it was not; null when it was */
export const dropProcessRole = (connection: OwnerConnection, name: string): Promise<string | null> =>
  withOwner(connection, async (client) => {
    await client.query('begin')
    const problem = await droppingProblem(client, name)
    await client.query(problem === null ? 'commit' : 'rollback')
    return problem
  })

/** One row for each hindrance of a drop. */
const hindrances = `
  select 'it is no role of the processes alone' as problem from pg_roles r
  where r.rolname = $1 and (r.rolsuper or not r.rolcanlogin or r.rolname = current_user or not exists (
      select from pg_auth_members m where m.member = r.oid and m.roleid = 'quipu_process'::regrole
    ) or exists (select from pg_auth_members m where m.member = r.oid and m.roleid <> 'quipu_process'::regrole))
  union all
  select format('%s sessions use it, from %s', count(*), string_agg(distinct coalesce(host(a.client_addr), 'a socket'), ', '))
  from pg_stat_activity a where a.usename = $1 having count(*) > 0
  union all
  select format('it owns, or has rights to, %s objects in the database %s', count(*), coalesce(d.datname, 'of all'))
  from pg_shdepend s join pg_roles r on r.oid = s.refobjid and s.refclassid = 'pg_authid'::regclass
  left join pg_database d on d.oid = s.dbid
  where r.rolname = $1 group by d.datname`

async function droppingProblem(client: pg.Client, name: string): Promise<string | null> {
  const { rows } = await client.query<{ drop: string }>(
    `select format('drop role %I', r.rolname) as drop from pg_roles r where r.rolname = $1`,
    [name],
  )
  const [statements] = rows
  if (statements === undefined) return 'there is no such role'
  const found = await client.query<{ problem: string }>(hindrances, [name])
  if (found.rows.length > 0) return found.rows.map(({ problem }) => problem).join('; ')
  await client.query(statements.drop)
  return null
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
