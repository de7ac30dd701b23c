import { credentialOf, someInstant } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { confirmRestore, declareRestore } from '../readiness/restore.ts'
import { doesWait, openOtherSession, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

/** As after a start of the server that nobody vouches for. */
const anotherStart = `update quipu.lineage set server_started = server_started - interval '1 s', began_at = '-infinity'`
const observe = `select o.* from quipu.lineage l, quipu.observe_log('0/1', l.confirmations, $1, $2, $3) o`
const vouch = (sql = harness.sql) => sql(observe, [null, null, 0])
const confirm = (): Promise<boolean> => confirmRestore(harness.stores.url, 'booked', new Date())

beforeEach(async () => {
  await harness.sql('update quipu.lineage set stopped_at = null, stopped_by = null, stop_reason = null')
  await confirm()
})

test('without payouts, payments are compared from the last confirmation on', async () => {
  await harness.sql(anotherStart)
  const [lineage] = await harness.sql('select confirmed_at from quipu.lineage')
  expect(await harness.sql(observe, [null, null, null])).toMatchObject([{ compared_from: lineage?.['confirmed_at'] }])
})

test.each<[string, () => Promise<unknown>]>([
  ['was compared', () => harness.sql('select quipu.accept_server(pg_postmaster_start_time())')],
  ['a process vouches for', () => vouch()],
  ['a person confirms', confirm],
])('marks of payouts count from when payments began on a server that %s', async (_, begin) => {
  await harness.sql(anotherStart)
  const [moment] = await harness.sql('select clock_timestamp() as before')
  await begin()
  const marks = `select quipu.has_marks_since($1) as before, quipu.has_marks_since(l.began_at) as at_once,
    quipu.has_marks_since(l.began_at + interval '1 us') as after from quipu.lineage l`
  expect(await harness.sql(marks, [moment?.['before']])).toEqual([{ before: false, at_once: false, after: true }])
})

test('a process does not vouch for a server on which another session halts payments', async () => {
  await harness.sql(anotherStart)
  const halting = await openTransaction(harness.stores.url)
  await halting.sql(`select quipu.halt('declared', 'a snapshot')`)
  await using process = await openOtherSession(harness.stores.url)
  const vouching = vouch(process.sql)
  expect(await doesWait(harness.sql, vouching)).toBe(true)
  await halting.commit()
  expect(await vouching).toMatchObject([{ halt_detail: 'a snapshot', server_start: expect.any(Date) as Date }])
})

test('payments halt for a payout that a process has seen of a tenant, and for another cluster', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const { id } = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n) }))
  expect(await harness.sql(observe, [tenantId, id, 0])).toMatchObject([{ halt_reason: null }])
  expect(await harness.sql(observe, [await harness.newWallet(usdt(1n)), id, 0])).toMatchObject([
    { halt_reason: 'went_back' },
  ])
  expect(await confirm()).toBe(true)
  await harness.sql('update quipu.lineage set system_id = system_id + 1')
  expect(await harness.sql(observe, [null, null, 0])).toMatchObject([{ halt_reason: 'restored' }])
})

test('a confirmation needs something to confirm, and does not start what an operator has stopped', async () => {
  expect(await confirm()).toBe(false)
  await harness.stores.restores.stop('paid twice', { ...credentialOf('ana'), at: someInstant })
  await declareRestore(harness.stores.url, 'a snapshot', new Date())
  expect(await confirm()).toBe(true)
  expect(await harness.stores.restores.gate()).toMatchObject({ halt: null, stop: { reason: 'paid twice' } })
})
