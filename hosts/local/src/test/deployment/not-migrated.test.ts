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

/** Runs a program until it ends. */
async function endOf(file: string, env: Record<string, string>, args: string[] = []) {
  const program = run(file, env, args)
  return { code: await program.ended, output: program.output() }
}

const programs = { 'api/src/main.ts': 'api started', 'worker/src/main.ts': 'worker started' }

test('processes refuse a database without its migrations, and name the missing ones', async () => {
  const { url, drop } = await testDatabase({ templateName: 'empty', migrate: async () => {} })
  const env = environment(url)
  for (const file of Object.keys(programs)) {
    const { code, output } = await endOf(file, env)
    expect(code).toBe(1)
    expect(output).toMatch(/^the database lacks 0001-tenants\.sql, .*: run the migration first$/m)
    expect(output).not.toMatch(/^ {4}at /m)
    expect(output).not.toContain('"level":"error"')
  }

  const first = await endOf('admin/src/main.ts', env, ['migrate'])
  expect(first.code).toBe(0)
  expect(first.output).toMatch(/^0001-tenants\.sql\n(?:\d{4}-[a-z-]+\.sql\n)+The database is up to/)
  const again = await endOf('admin/src/main.ts', env, ['migrate'])
  expect(again).toEqual({ code: 0, output: 'The database is up to date; migrations run: 0.\n' })
  for (const [file, line] of Object.entries(programs)) {
    const program = run(file, env)
    await program.untilOutput(new RegExp(line))
    await program.kill()
  }
  await drop()
})

test('processes wait for an unreachable database at start; a migration fails, and its message hides the password', async () => {
  const env = environment('postgres://quipu:hush@127.0.0.1:1/quipu')
  for (const [file, line] of Object.entries(programs)) {
    const program = run(file, env)
    await program.untilOutput(new RegExp(line))
    await program.kill()
    expect(program.output()).not.toContain('hush')
  }
  const { code, output } = await endOf('admin/src/main.ts', env, ['migrate'])
  expect(code).toBe(3)
  expect(output).toBe('The database was not migrated: connect ECONNREFUSED 127.0.0.1:1\n')
  const unset = await endOf('admin/src/main.ts', {}, ['migrate'])
  expect(unset.code).toBe(2)
  expect(unset.output).toContain('  DATABASE_URL: is required')
})
