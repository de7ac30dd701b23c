import { createDatabase, type PostgresServer, startPostgres } from '@quipu/embedded-postgres'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asRole } from '../test/as-role.fixture.ts'
import { migrate } from './migrate.ts'
import { RolesMissing } from './roles.ts'

let dataDir: string
let server: PostgresServer
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-roles-'))
  server = await startPostgres({ dataDir, durability: 'none' })
})
afterEach(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
})

const asSuperuser = (text: string) => asRole(server.url, (sql) => sql(text))

/** URLs of new databases, owned by the role. */
async function databasesOf(role: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `${role}_${n}`)
  for (const name of names) {
    await createDatabase(server, name)
    await asSuperuser(`alter database ${name} owner to ${role}`)
  }
  return names.map((name) => {
    const url = new URL(server.urlFor(name))
    url.username = role
    return url.href
  })
}

test('databases of one server can be migrated at once, and share their roles', { tags: 'long' }, async () => {
  const urls = await databasesOf('postgres', 3)
  const ran = await Promise.all(urls.map((url) => migrate(url)))
  expect(new Set(ran.map((names) => names.length)).size).toBe(1)
})

test('a role that may create roles creates them, for many databases at once', async () => {
  await asSuperuser('create role creator login createrole')
  const urls = await databasesOf('creator', 2)
  for (const ran of await Promise.all(urls.map((url) => migrate(url)))) expect(ran).not.toEqual([])
  for (const url of urls) expect(await migrate(url)).toEqual([])
})

test('a role that may not gets the statements to run, nothing is written, and after them it migrates', async () => {
  await asSuperuser('create role plain login')
  const [url = ''] = await databasesOf('plain', 1)
  const refused = async () => {
    const error = await migrate(url).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(RolesMissing)
    const [sentence, ...statements] = (error as RolesMissing).message.split('\n')
    expect(sentence).toMatch(/^The role plain may not create roles or act as quipu_owner\. Nothing was written\./)
    expect(await asRole(url, (sql) => sql(`select to_regnamespace('quipu') as n`))).toEqual([{ n: null }])
    return statements
  }
  const grant = 'grant quipu_owner to plain with inherit true, set true;'
  const statements = await refused()
  expect(statements).toEqual(['create role quipu_owner nologin;', 'create role quipu_process nologin;', grant])
  await asSuperuser(statements.slice(0, 2).join('\n'))
  expect(await refused()).toEqual([grant])
  await asSuperuser(grant)
  expect(await migrate(url)).not.toEqual([])
  expect(await migrate(url)).toEqual([])
})
