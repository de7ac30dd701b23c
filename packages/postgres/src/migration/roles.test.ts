import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'
import { asRole } from '../test/as-role.fixture.ts'
import { migrate } from './migrate.ts'

const names = (rows: readonly Record<string, unknown>[]): unknown[] => rows.map(({ name }) => name)

describe('in a migrated database', () => {
  let harness: StoreHarness
  beforeAll(async () => {
    harness = await openStoreHarness()
  })
  afterAll(() => harness.close())

  const inSchema = `c.relnamespace = 'quipu'::regnamespace`

  test('quipu_owner owns everything, also partitions of later months', async () => {
    const foreign = `
      select nspname::text as name from pg_namespace
      where nspname = 'quipu' and nspowner <> 'quipu_owner'::regrole
      union all
      select relname from pg_class c where ${inSchema} and relowner <> 'quipu_owner'::regrole
      union all
      select proname from pg_proc
      where pronamespace = 'quipu'::regnamespace and proowner <> 'quipu_owner'::regrole`
    expect(names(await harness.sql(foreign))).toEqual([])
    const roles = `select rolname as name from pg_roles
      where rolname in ('quipu_owner', 'quipu_process') and not (rolcanlogin or rolsuper or rolcreaterole)`
    expect(await harness.sql(roles)).toHaveLength(2)
  })

  test('functions with the owner’s rights have a fixed search_path', async () => {
    const open = `
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = 'quipu'::regnamespace and p.prosecdef
        and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false)`
    expect(names(await harness.sql(open))).toEqual([])
    expect(await harness.sql(open.replace('and not', 'and'))).not.toEqual([])
  })

  test('processes may execute functions with the owner’s rights and those marked for processes, and other roles none', async () => {
    const open = `
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = 'quipu'::regnamespace
        and has_function_privilege('quipu_process', p.oid, 'execute')
          <> (p.prorettype <> 'trigger'::regtype
            and (p.prosecdef or obj_description(p.oid, 'pg_proc') = 'for processes'))`
    expect(names(await harness.sql(open))).toEqual([])
    const byPublic = `
      select p.oid::regprocedure::text as name
      from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.pronamespace = 'quipu'::regnamespace and a.grantee = 0`
    expect(names(await harness.sql(byPublic))).toEqual([])
  })

  test('processes may read every table and view but the hashes of operators’ tokens and sessions and the keys of sign-ins, and write none', async () => {
    const relations = `
      select relname as name, has_any_column_privilege('quipu_process', c.oid, 'select') as is_readable,
        has_table_privilege('quipu_process', c.oid,
          'insert, update, delete, truncate, references, trigger, maintain')
        or has_any_column_privilege('quipu_process', c.oid, 'insert, update, references') as is_writable
      from pg_class c where ${inSchema} and relkind in ('r', 'p', 'v') and not relispartition`
    const rows = await harness.sql(relations)
    expect(rows.length).toBeGreaterThan(20)
    expect(names(rows.filter((row) => row['is_readable'] !== true))).toEqual([])
    expect(names(rows.filter((row) => row['is_writable'] === true))).toEqual([])
    const hidden = `
      select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where ${inSchema} and relkind in ('r', 'p', 'v') and not relispartition and a.attnum > 0
        and not a.attisdropped and not has_column_privilege('quipu_process', c.oid, a.attnum, 'select')
      order by name`
    expect(names(await harness.sql(hidden))).toEqual(['console_session.hash', 'operator_token.hash', 'sign_in_key.key'])
    const sequences = `select relname as name from pg_class c where ${inSchema} and relkind = 'S'
      and has_sequence_privilege('quipu_process', (case relkind when 'S' then c.oid end), 'usage, update')`
    expect(names(await harness.sql(sequences))).toEqual([])
  })

  test('a process may not run any statement that changes a table', async () => {
    const rows = await harness.sql(
      `select c.oid::regclass::text as name,
         (select quote_ident(min(attname)) from pg_attribute
          where attrelid = c.oid and attnum > 0 and attidentity = '') as column
       from pg_class c where ${inSchema} and relkind in ('r', 'p')`,
    )
    await asRole(harness.stores.processUrl, async (sql) => {
      for (const { name, column } of rows) {
        const table = String(name)
        for (const statement of [
          `insert into ${table} default values`,
          ...(column === null ? [] : [`update ${table} set ${column as string} = null`]),
          `delete from ${table}`,
          `truncate ${table}`,
          `select from ${table} for update`,
          `do 'begin lock table ${table} in share mode; end'`,
        ])
          await expect(sql(statement), statement).rejects.toThrow('permission denied for table')
        await expect(sql(`alter table ${table} disable trigger all`)).rejects.toThrow('be owner')
        await expect(sql(`drop table ${table}`)).rejects.toThrow('be owner')
      }
      await expect(sql('create table quipu.mine ()')).rejects.toThrow('permission denied for schema')
      await expect(sql('set role quipu_owner')).rejects.toThrow('permission denied to set role')
    })
  })

  test('the next migration takes over objects that were created by hand, and revokes their rights', async () => {
    await harness.sql('create table quipu.by_hand (id bigint generated always as identity, n int)')
    await harness.sql(`create function quipu.by_hand() returns int language sql return 1`)
    await harness.sql('create view quipu.seen as select * from quipu.by_hand')
    await harness.sql('create sequence quipu.counted')
    await harness.sql('grant all on quipu.by_hand, quipu.ledger_check to public, quipu_process')
    await migrate(harness.stores.url)
    await asRole(harness.stores.processUrl, async (sql) => {
      expect(await sql('select n from quipu.seen')).toEqual([])
      for (const statement of [
        'insert into quipu.by_hand (n) values (1)',
        'delete from quipu.ledger_check',
        'select quipu.by_hand()',
        `select nextval('quipu.counted')`,
      ])
        await expect(sql(statement)).rejects.toThrow('permission denied')
    })
    const owners = `select distinct relowner::regrole::text as name from pg_class c where ${inSchema}`
    expect(names(await harness.sql(owners))).toEqual(['quipu_owner'])
  })
})
