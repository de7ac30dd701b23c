import { ensurePartitions, migrate } from '@quipu/postgres'
import { expect, test } from 'vitest'
import { roleDatabase } from '../harness/database-role.fixture.ts'

test('the role creates partitions and reads new tables, and cannot change any table', async () => {
  await using database = await roleDatabase()
  const { roleUrl, asOwner, asRole } = database
  const partitions = `select relname from pg_class where relispartition and relkind = 'r'
    and relnamespace = 'quipu'::regnamespace order by relname`
  const before = await asOwner(partitions)
  const [last] = await asOwner(`select max(relname) as name from (${partitions}) _ where relname ~ '^delivery_2'`)
  await asOwner(`drop table quipu.${String(last?.['name'])}`)
  await ensurePartitions(roleUrl)
  expect(await asOwner(partitions)).toEqual(before)
  const hostile = `select quipu.ensure_partitions(now() + make_interval(years => n))
    from generate_series(1, 50) n`
  await expect(asRole(hostile)).rejects.toThrow('does not exist')
  expect(await asOwner(partitions)).toEqual(before)
  await asOwner('create table quipu.later (id bigint generated always as identity, n int)')
  await migrate(database.url)
  await asRole('select from quipu.later')
  for (const sql of [
    'begin; lock table quipu.unverified_credit_lock in share row exclusive mode; commit',
    'alter table quipu.payout_end disable trigger all',
    'drop table quipu.audit_log',
    'create table quipu.mine ()',
    'insert into quipu.later (n) values (1)',
    'truncate quipu.funding_entry',
    'delete from quipu.migration',
  ])
    await expect(asRole(sql)).rejects.toThrow(/must be owner|permission denied/)
})
