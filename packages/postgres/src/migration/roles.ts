import pg from 'pg'

/**
 * `quipu_owner` owns the schema and everything in it. The login roles of the processes are members of
 * `quipu_process`. Neither can log in. Roles belong to the server, and its databases share them.
 */
const roles = ['quipu_owner', 'quipu_process']

/** The migrating role may neither create the missing roles nor act as `quipu_owner`. */
export class RolesMissing extends Error {
  override readonly name = 'RolesMissing'
}

/**
 * Creates the missing roles and the schema, and makes the session's role a member of `quipu_owner`.
 *
 * @throws RolesMissing when the session's role may not do this; nothing is written
 */
export async function prepareRoles(client: pg.Client): Promise<void> {
  try {
    await client.query(makeRoles)
    await client.query(joinOwner)
  } catch (error) {
    if (isDenied(error)) throw await rolesMissing(client, error)
    throw error
  }
  await client.query(makeSchema)
}

/**
 * Makes `quipu_owner` the owner of objects that a restore or a person has created as another role. Migrations
 * themselves run as `quipu_owner`.
 */
export async function takeOwnership(client: pg.Client): Promise<void> {
  await client.query(changeOwners)
}

const isDenied = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '42501'

async function rolesMissing(client: pg.Client, cause: unknown): Promise<RolesMissing> {
  const { rows } = await client.query<{ missing: string[]; me: string }>(
    `select quote_ident(current_user) as me,
       array(select name from unnest($1::text[]) name where to_regrole(name) is null) as missing`,
    [roles],
  )
  const { missing = [], me = '' } = rows[0] ?? {}
  const sql = [
    ...missing.map((name) => `create role ${name} nologin;`),
    `grant quipu_owner to ${me} with inherit true, set true;`,
  ]
  return new RolesMissing(
    `The role ${me} may not create roles or act as quipu_owner. Nothing was written. ` +
      `Run these statements as a role that may, then migrate again:\n${sql.join('\n')}`,
    { cause },
  )
}

/** A migration of another database of the server can make the same role at the same time. */
const makeRoles = `
do $$
declare
  name text;
begin
  foreach name in array array['${roles.join(`', '`)}'] loop
    if to_regrole(name) is null then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;
end
$$`

const joinOwner = `
do $$ begin
  if not (pg_has_role('quipu_owner', 'set') and pg_has_role('quipu_owner', 'usage')) then
    execute format('grant quipu_owner to %I with inherit true, set true', current_user);
  end if;
exception when unique_violation then
  null;
end $$`

const makeSchema = `
do $$ begin
  if to_regnamespace('quipu') is null then
    create schema quipu authorization quipu_owner;
  end if;
end $$`

/** Leaves out sequences of identity columns, whose owner changes with their table. */
const changeOwners = `
do $$
declare
  command text;
begin
  for command in
    select 'alter schema quipu owner to quipu_owner' from pg_namespace
    where nspname = 'quipu' and nspowner <> 'quipu_owner'::regrole
    union all
    select format('alter %s %s owner to quipu_owner',
      case c.relkind when 'v' then 'view' when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
      c.oid::regclass)
    from pg_class c
    where c.relnamespace = 'quipu'::regnamespace and c.relowner <> 'quipu_owner'::regrole
      and c.relkind in ('r', 'p', 'v', 'S', 'c')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and c.relkind = 'S'
          and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass
      )
    union all
    select format('alter routine %s owner to quipu_owner', p.oid::regprocedure) from pg_proc p
    where p.pronamespace = 'quipu'::regnamespace and p.proowner <> 'quipu_owner'::regrole
  loop
    execute command;
  end loop;
end
$$`

/**
 * Grants the rights of `quipu_process`, derived from the catalog: `select` on every table and view, without the
 * columns that have the comment `not for processes`, and `execute` on every function that is `security definer` or has the comment `for processes`. Trigger
 * functions and partitions need no rights.
 */
export async function grantRights(client: pg.Client): Promise<void> {
  await client.query(grants)
}

const grants = `
do $$
declare
  command text;
begin
  revoke all on schema quipu from public, quipu_process;
  revoke all on all tables in schema quipu from public, quipu_process;
  revoke all on all sequences in schema quipu from public, quipu_process;
  revoke all on all routines in schema quipu from public, quipu_process;
  grant usage on schema quipu to quipu_process;
  for command in
    select format('grant select%s on %s to quipu_process', (
        select ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum)
          filter (where col_description(c.oid, a.attnum) is distinct from 'not for processes') || ')'
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        having bool_or(col_description(c.oid, a.attnum) = 'not for processes')
      ), c.oid::regclass) from pg_class c
    where c.relnamespace = 'quipu'::regnamespace and c.relkind in ('r', 'p', 'v')
      and not c.relispartition
    union all
    select format('grant execute on function %s to quipu_process', p.oid::regprocedure)
    from pg_proc p
    where p.pronamespace = 'quipu'::regnamespace and p.prorettype <> 'trigger'::regtype
      and (p.prosecdef or obj_description(p.oid, 'pg_proc') = 'for processes')
  loop
    execute command;
  end loop;
end
$$`
