import { presentedBy } from '@quipu/contracts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { untilWaiting } from '../test/other-session.fixture.ts'
import { type Sql, sqlOf, useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
let client: pg.Client
let other: Sql
beforeAll(async () => {
  client = new pg.Client(harness.stores.url)
  await client.connect()
  other = sqlOf(client)
})
beforeEach(async () => {
  await other(`set lock_timeout = '300ms'`)
})
afterAll(async () => {
  await client.end()
})

/** Records a difference, or with no detail that there is none. */
const record = (sql: Sql, about: readonly [string, string, string], detail: string | null) =>
  sql('select quipu.record_difference($1, null, $2, $3, $4)', [...about, detail])

/** Runs work of the other session while this one has the lock of differences. */
async function locked(work: () => Promise<void>): Promise<void> {
  await harness.sql('begin; select quipu.lock_differences()')
  try {
    await work()
  } finally {
    await harness.sql('rollback')
  }
}

test('a new difference, one that is gone, and the end of a run wait for the lock', async () => {
  const present = ['ledger', 'held', 'present'] as const
  await record(other, present, 'off')
  await locked(async () => {
    for (const write of [
      () => record(other, ['ledger', 'held', 'new'], 'off'),
      () => record(other, present, 'off'),
      () => record(other, present, null),
      () => other(`select quipu.resolve_differences('network', '', now())`),
    ])
      await expect(write()).rejects.toThrow(/lock timeout/)
  })
})

test('a difference that is closed while a check sees it changed is opened anew', async () => {
  const subject = randomUUID()
  const about = ['ledger', 'held', subject] as const
  await record(other, about, 'off')
  const [row] = await harness.sql('select id from quipu.difference where subject = $1', [subject])
  await harness.sql('begin')
  const close = `select quipu.close_difference($1, $2, now(), 'known', null)`
  await harness.sql(close, [row?.['id'], presentedBy('ana')])
  await other(`set lock_timeout = 0`)
  const recording = record(other, about, 'more')
  await untilWaiting(harness.sql, 1, recording)
  await harness.sql('commit')
  await recording
  const rows = await harness.sql(
    `select status, detail, gone_at is null as is_present from quipu.difference
     where subject = $1 order by change`,
    [subject],
  )
  expect(rows).toEqual([
    { status: 'closed', detail: 'off', is_present: false },
    { status: 'open', detail: 'more', is_present: true },
  ])
})
