import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { checkRole } from '../readiness/fit-database.ts'
import { migratedDatabase } from '../test/stores.fixture.ts'
import { createProcessRole } from './process-role.ts'

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
