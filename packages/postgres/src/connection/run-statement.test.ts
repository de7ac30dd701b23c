import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runStatement } from './run-statement.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase({ templateName: 'empty', migrate: async () => {} })
})
afterAll(() => database.drop())

test('rows and parameters do not survive minor garbage collections', async () => {
  const program = fileURLToPath(new URL('repeat-statement.fixture.ts', import.meta.url))
  const [times, size] = [1_500, 40_000]
  const args = ['--conditions=source', program, database.url, `${times}`, `${size}`]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(Number(stdout)).toBeLessThan((times * size) / 6)
})

test('a statement without an answer in time fails, with every statement that is queued behind it', async () => {
  const client = new pg.Client(database.url)
  client.on('error', () => undefined)
  await client.connect()
  const running = [100, 60_000].map((withinMs) => runStatement(client, { text: 'select pg_sleep(60)' }, [], withinMs))
  const outcomes = await Promise.allSettled(running)
  await client.end()
  const reason = { message: 'read timeout: the database does not answer' }
  expect(outcomes).toMatchObject([{ reason }, { reason }])
})

test('the stack of an error includes the caller', async () => {
  const client = new pg.Client(database.url)
  await client.connect()
  const caller = () => runStatement(client, { text: 'select 1 / 0' }, [], 10_000)
  const error: unknown = await caller().catch((thrown: unknown) => thrown)
  await client.end()
  expect(error).toMatchObject({ code: '22012', stack: expect.stringContaining('run-statement.test.ts') })
})
