import { auditStart, verifyAuditLog } from '@quipu/core/operator'
import { closeReviewCommit, depositBuilders } from '@quipu/contracts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openStoreHarness } from '../test/stores.fixture.ts'

test('a batch takes the lock of the audit log after the locks of all its rows', async () => {
  const harness = await openStoreHarness()
  const { stores, sql, world } = harness
  const { inReview } = await depositBuilders(world)
  const reviews = [await inReview(), await inReview(), await inReview(), await inReview()]
  const holder = new pg.Client(stores.url)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from quipu.deposit where id = $1 for update', [reviews.at(-1)?.id])

  const writes = await Promise.all(reviews.map((review) => closeReviewCommit(world, review)))
  const [newest] = await stores.audit.list({ limit: 1 })

  // One batch, which waits for its last row.
  const closing = Promise.all(writes.map((write) => stores.deposits.commit(write)))
  const waiting = `select from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%resolve_reviews%'`
  await expect.poll(() => sql(waiting)).toHaveLength(1)
  expect(await stores.audit.list({ limit: 1 })).toEqual([newest])
  await sql(`set lock_timeout = '2s'`)
  await sql(
    `select quipu.write_audit(row('ana', null, null, null, null), 'operator.refuse', null, 's', now(), null, null)`,
  )

  await holder.query('rollback')
  expect(await closing).toEqual(reviews.map(() => 'committed'))
  expect(await verifyAuditLog(stores.audit, auditStart, 100)).toMatchObject({
    flaw: null,
    isComplete: true,
    verified: { id: (newest?.id ?? 0n) + 1n + BigInt(writes.length) },
  })
  await holder.end()
  await harness.close()
})

test('a batch without entries takes no lock of the audit log', async () => {
  const harness = await openStoreHarness()
  const { sql } = harness
  const locks = () => sql(`select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'`)
  await sql('begin')
  await sql(`select quipu.write_audit_entries('{}')`)
  expect(await locks()).toHaveLength(0)
  await sql(
    `select quipu.write_audit(row('ana', null, null, null, null), 'operator.refuse', null, 's', now(), null, null)`,
  )
  expect(await locks()).toHaveLength(1)
  await sql('rollback')
  await harness.close()
})
