import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { checkRole } from '../readiness/fit-database.ts'
import { migratedDatabase } from '../test/stores.fixture.ts'
import { createProcessRole, dropProcessRole } from './process-role.ts'

test('a new role has the rights of a process and its password; one that exists only joins', async () => {
  const { url, drop } = await migratedDatabase()
  const client = new pg.Client(url)
  await client.connect()
  const [name, other] = [`app "${process.pid}`, `other_${process.pid}`]
  onTestFinished(async () => {
    await client.end()
    await drop()
  })
  const stored = async (role: string): Promise<unknown> =>
    (await client.query('select rolpassword as p from pg_authid where rolname = $1', [role])).rows[0]
  const password = `SCRAM-SHA-256$4096:${btoa('0123456789abcdef')}$${btoa('k'.repeat(32))}:${btoa('s'.repeat(32))}`

  expect(await createProcessRole(url, { name, password })).toBe(true)
  expect(await stored(name)).toEqual({ p: password })
  const asRole = new URL(url)
  asRole.username = encodeURIComponent(name)
  await checkRole({ url: asRole.href, isProduction: true })

  await client.query(`create role ${other} login`)
  expect(await createProcessRole(url, { name: other, password })).toBe(false)
  expect(await stored(other)).toEqual({ p: null })
  asRole.username = other
  await checkRole({ url: asRole.href, isProduction: true })
})

test('a role is dropped unless sessions use it, it owns something, or it is of other use', async () => {
  const { url, drop } = await migratedDatabase()
  const [name, owner] = [`old_${process.pid}`, `owning_${process.pid}`]
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.query(`drop owned by ${owner}; drop role ${owner}`)
    await client.end()
    await drop()
  })
  for (const role of [name, owner]) await createProcessRole(url, { name: role, password: '' })
  await client.query(`create schema s authorization ${owner}`)
  expect(await dropProcessRole(url, 'nobody')).toBe('there is no such role')
  expect(await dropProcessRole(url, new URL(url).username)).toContain('no role of the processes alone')
  expect(await dropProcessRole(url, owner)).toMatch(/^it owns, or has rights to, 1 objects in the database /)
  const asRole = new URL(url)
  asRole.username = name
  const session = new pg.Client(asRole.href)
  await session.connect()
  expect(await dropProcessRole(url, name)).toMatch(/^1 sessions use it, from /)
  await session.end()
  await expect.poll(() => dropProcessRole(url, name)).toBeNull()
  expect((await client.query('select from pg_roles where rolname = $1', [name])).rows).toEqual([])
})
