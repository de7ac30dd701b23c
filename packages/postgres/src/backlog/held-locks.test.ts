import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { heldLocks } from './ending-tokens-and-locks.ts'

const harness = useStoreHarness()
let thief: pg.Client
let session: string
beforeAll(async () => {
  thief = new pg.Client(harness.stores.processUrl)
  await thief.connect()
  const { rows } = await thief.query<{ session: string }>(
    `select format('session %s of %s', pg_backend_pid(), current_user) as session`,
  )
  session = rows[0]?.session ?? ''
})
afterAll(async () => {
  await thief.end()
})

const held = async () => (await harness.stores.backlog.read()).heldLocks

test.each([
  ['a transaction', 'begin; select pg_advisory_xact_lock(%)', 'rollback'],
  ['a session', 'select pg_advisory_lock(%)', 'select pg_advisory_unlock_all()'],
])('%s of the processes’ role that holds the audit log’s lock is seen, until it ends', async (_, take, end) => {
  // Without the second one no check records what it finds.
  for (const [key, of] of [
    ['quipu.audit_log', 'audit log'],
    ['quipu.difference', 'differences'],
  ] as const) {
    expect(await held()).toEqual([])
    await thief.query(take.replace('%', `hashtextextended('${key}', 0)`))
    expect(await held()).toEqual([{ session, lock: `the lock of the ${of}` }])
    await thief.query(end)
  }
  expect(await held()).toEqual([])
})

test('other locks are seen once they are old', async () => {
  const tenantId = (await harness.newTenant()).id
  await thief.query('begin')
  await thief.query('select quipu.draw_top_up_index($1, $2)', [tenantId, 'tron'])
  expect(await held()).toEqual([])
  expect(await heldSince(0)).toEqual([{ session, lock: 'rows that it has changed' }])
  await thief.query(`select pg_advisory_xact_lock(7)`)
  expect(await heldSince(0)).toEqual([{ session, lock: 'an advisory lock' }])
  expect(await heldSince(3_600)).toEqual([])
  await thief.query('rollback')
  expect(await heldSince(0)).toEqual([])
})

/** The locks that another session of the processes’ role sees. */
async function heldSince(oldSeconds: number): Promise<unknown> {
  const peer = new pg.Client(harness.stores.processUrl)
  await peer.connect()
  const { rows } = await peer.query(heldLocks.text, [oldSeconds])
  await peer.end()
  return rows
}
