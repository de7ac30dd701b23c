import { testDatabase } from '@quipu/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { run } from '../harness/process.fixture.ts'

const environment = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  PORT: '0',
  OPERATOR_PORT: '0',
  QR_NETWORK_URL: 'http://127.0.0.1:1',
  QR_NETWORK_TOKEN: 'token',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
})

/** How a program ends, and all that it has said by then. */
async function endOf(file: string, env: Record<string, string>) {
  const program = run(file, env)
  return { code: await program.ended, said: program.output() }
}

const programs = { 'api/src/main.ts': 'api started', 'worker/src/main.ts': 'worker started' }

test('no process runs on a database that was not migrated, and each says what is missing', async () => {
  const { url, drop } = await testDatabase({ templateName: 'empty', migrate: async () => {} })
  const env = environment(url)
  for (const file of Object.keys(programs)) {
    const { code, said } = await endOf(file, env)
    expect(code).toBe(1)
    expect(said).toMatch(/^the database lacks 0001-tenants\.sql, .*: migrate it first$/m)
    expect(said).not.toMatch(/^ {4}at /m)
    expect(said).not.toContain('"level":"error"')
  }

  const first = await endOf('api/src/migrate.ts', env)
  expect(first.code).toBe(0)
  expect(first.said).toMatch(/^0001-tenants\.sql\n(?:\d{4}-[a-z-]+\.sql\n)+The database is up to/)
  const again = await endOf('api/src/migrate.ts', env)
  expect(again).toEqual({ code: 0, said: 'The database is up to date; migrations run: 0.\n' })
  for (const [file, line] of Object.entries(programs)) {
    const program = run(file, env)
    await program.says(new RegExp(line))
    await program.kill()
  }
  await drop()
})

test('a database that is away at the start is waited for, and a migration of it fails without its password', async () => {
  const env = environment('postgres://quipu:hush@127.0.0.1:1/quipu')
  for (const [file, line] of Object.entries(programs)) {
    const program = run(file, env)
    await program.says(new RegExp(line))
    await program.kill()
    expect(program.output()).not.toContain('hush')
  }
  const { code, said } = await endOf('api/src/migrate.ts', env)
  expect(code).toBe(1)
  expect(said).toBe('The database was not migrated: connect ECONNREFUSED 127.0.0.1:1\n')
  const unset = await endOf('api/src/migrate.ts', {})
  expect(unset.code).toBe(1)
  expect(unset.said).toContain('  DATABASE_URL: is required')
})
