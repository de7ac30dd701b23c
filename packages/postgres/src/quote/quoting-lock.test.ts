import { someInstant, credentialOf } from '@quipu/contracts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

const waiting = `
  select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('of two pauses that wait for one row, the second finds quoting paused', async () => {
  const { quoting, audit } = harness.stores
  const change = { by: 'ana', at: someInstant, reason: 'test' }
  for (const status of ['paused', 'open'] as const)
    await quoting.set(status, { ...change, reason: status === 'paused' ? 'test' : null }, credentialOf('ana'))
  const holder = new pg.Client(harness.stores.url)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from quipu.quoting for no key update')
  const pauses = ['ana', 'eva'].map((by) => quoting.set('paused', { ...change, by }, credentialOf(by)))
  while ((await harness.sql(waiting))[0]?.['n'] !== 2);
  await holder.query('commit')
  await holder.end()
  expect((await Promise.all(pauses)).toSorted()).toEqual(['committed', 'stale'])
  expect(await audit.list({ subject: 'quoting', limit: 9 })).toHaveLength(3)
})
