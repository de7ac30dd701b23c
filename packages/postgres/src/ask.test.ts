import { getHeapSpaceStatistics } from 'node:v8'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './ask.ts'
import { migrate } from './migrate.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await testDatabase({ templateName: 'quipu_postgres', migrate })
  client = new pg.Client(database.url)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('what was asked and answered does not grow old', async () => {
  const statement = { name: 'length', text: 'select length($1) as length' }
  const [size, times] = [40_000, 1_500]
  let [before, grown] = [oldBytes(), 0]
  for (let n = 0; n < times; n++) {
    expect(await ask(client, { ...statement, values: [`${n}`.padEnd(size)] }, 10_000)).toEqual([
      { length: size },
    ])
    const now = oldBytes()
    grown += Math.max(0, now - before)
    before = now
  }
  expect(grown).toBeLessThan((size * times) / 20)
})

test('an error tells who asked', async () => {
  const whoAsked = () => ask(client, { text: 'select 1 / 0', values: [] }, 10_000)
  const error: unknown = await whoAsked().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: '22012', stack: expect.stringContaining('ask.test.ts') })
})

const oldBytes = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0
