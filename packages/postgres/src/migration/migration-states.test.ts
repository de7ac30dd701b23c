import { testDatabase } from '@quipu/embedded-postgres/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, migrationNames } from './migrate.ts'
import { migrationStates } from './migration-states.ts'

test('distinguishes migrations that are missing, run, changed, and of a later release', async () => {
  const { url, drop } = await testDatabase({ templateName: 'empty', migrate: async () => {} })
  onTestFinished(drop)
  const names = await migrationNames()
  const missing = names.map((name) => ({ name, state: 'missing', runAt: null }))
  expect(await migrationStates(url)).toEqual(missing)

  await migrate(url)
  const run = names.map((name) => ({ name, state: 'run', runAt: expect.any(Date) }))
  expect(await migrationStates(url)).toEqual(run)

  const client = new pg.Client(url)
  await client.connect()
  await client.query(`update quipu.migration set checksum = 'x' where name = '0002-ledger.sql'`)
  await client.query(`insert into quipu.migration (name, checksum) values ('9999-later.sql', 'x')`)
  await client.end()
  const states = await migrationStates(url)
  expect(states.filter(({ state }) => state !== 'run')).toMatchObject([
    { name: '0002-ledger.sql', state: 'changed' },
    { name: '9999-later.sql', state: 'later' },
  ])
})
