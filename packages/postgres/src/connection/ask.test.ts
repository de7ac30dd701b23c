import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './ask.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase({ templateName: 'empty', migrate: async () => {} })
})
afterAll(() => database.drop())

test('what was asked does not outlive its answer', async () => {
  const program = fileURLToPath(new URL('asking.fixture.ts', import.meta.url))
  const [times, size] = [1_500, 40_000]
  const args = [program, database.url, `${times}`, `${size}`]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(Number(stdout)).toBeLessThan((times * size) / 6)
})

test('a database that does not answer in time is cut off, with all that waits for it', async () => {
  const client = new pg.Client(database.url)
  client.on('error', () => undefined)
  await client.connect()
  const asked = [100, 60_000].map((withinMs) =>
    ask(client, { text: 'select pg_sleep(60)' }, [], withinMs),
  )
  const outcomes = await Promise.allSettled(asked)
  await client.end()
  const reason = { message: 'read timeout: the database does not answer' }
  expect(outcomes).toMatchObject([{ reason }, { reason }])
})

test('an error tells who asked', async () => {
  const client = new pg.Client(database.url)
  await client.connect()
  const whoAsked = () => ask(client, { text: 'select 1 / 0' }, [], 10_000)
  const error: unknown = await whoAsked().catch((thrown: unknown) => thrown)
  await client.end()
  expect(error).toMatchObject({ code: '22012', stack: expect.stringContaining('ask.test.ts') })
})
