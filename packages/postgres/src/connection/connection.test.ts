import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientConfig, type ConnectionOptions } from './connection.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase({ templateName: 'empty', migrate: async () => {} })
})
afterAll(() => database.drop())

async function settingsOf(url: ConnectionOptions['url']): Promise<unknown> {
  const client = new pg.Client(clientConfig({ url }))
  await client.connect()
  try {
    const names = ['plan_cache_mode', 'enable_seqscan', 'max_parallel_workers_per_gather', 'jit', 'work_mem']
    const { rows } = await client.query({
      text: 'select current_setting(name) from unnest($1::text[]) name',
      values: [names],
      rowMode: 'array',
    })
    return rows.flat()
  } finally {
    await client.end()
  }
}

const withOptions = (url: string): string => {
  const changed = new URL(url)
  changed.searchParams.set('options', '-c work_mem=5MB')
  return changed.href
}

test('a session has the generic-plan settings, also when its URL or config has options of its own', async () => {
  const { url } = database
  const own = { options: '-c work_mem=5MB' }
  expect(await settingsOf(url)).toEqual(['force_generic_plan', 'off', '0', 'off', '4MB'])
  const both = ['force_generic_plan', 'off', '0', 'off', '5MB']
  expect(await settingsOf(withOptions(url))).toEqual(both)
  expect(await settingsOf({ connectionString: url, ...own })).toEqual(both)
  expect(await settingsOf({ connectionString: withOptions(url) })).toEqual(both)
})

test('an instant that no date can be is the nearest one', async () => {
  const client = new pg.Client(clientConfig({ url: database.url }))
  await client.connect()
  const instants = ['infinity', '-infinity', '290000-01-01Z', '4713-01-01Z BC', '2026-04-01T00:00:00.007Z']
  const { rows } = await client.query<{ at: Date }>('select unnest($1::timestamptz[]) as at', [instants])
  await client.end()
  expect(rows.map(({ at }) => at.getTime())).toEqual([
    8.64e15,
    -8.64e15,
    8.64e15,
    Date.UTC(-4712, 0, 1),
    Date.UTC(2026, 3, 1, 0, 0, 0, 7),
  ])
})
