import { Unavailable, usdt } from '@quipu/core'
import type { ReplicatedPostgres } from '@quipu/embedded-postgres'
import { expect, test } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { openFragileStores } from '../test/stores.fixture.ts'
import type { PostgresStores } from '../stores.ts'
import { sql, startAccepting, startPair, untilWaiting, waiting } from '../test/standby-pair.fixture.ts'

const untilAnswering = (stores: PostgresStores): Promise<unknown> =>
  expect.poll(() => stores.ping().then(() => 'answers', String)).toBe('answers')

const payoutsOf = (pair: ReplicatedPostgres) => sql(pair, 'select id from quipu.payout')

test('a commit that the standby does not confirm is Unavailable, and its session is not ended', async () => {
  const { pair, stores, write, payout } = await startAccepting()
  pair.replication.stall()
  expect(await stores.whySilent()).toBe('no answer')
  const committed = stores.payouts.commit(write)
  await expect(committed).rejects.toBeInstanceOf(Unavailable)
  expect(await sql(pair, waiting)).toHaveLength(1)
  expect(await payoutsOf(pair)).toEqual([])
  await expect.poll(() => stores.whySilent()).toContain('commits wait for a standby that does not answer')

  pair.replication.resume()
  await expect.poll(() => payoutsOf(pair)).toHaveLength(1)
  const found = await stores.payouts.find(payout.tenantId, payout.transactionId)
  expect(found?.payout).toEqual(payout)
  expect(await stores.payouts.commit(write)).toBe('stale')
})

test('a commit that waits for the standby is answered long before its statement times out, and so is a read', async () => {
  const { pair, stores, tenantId, write } = await startAccepting({ statementTimeoutMs: 900_000, standbyWaitMs: 500 })
  pair.replication.stall()
  const waits = [stores.wallets.find(tenantId), stores.ping(), stores.payouts.commit(write)]
  for (const wait of await Promise.allSettled(waits))
    expect(wait).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) as Unavailable })
})

test('while a commit waits for the standby, further commits are refused instead of waiting as well', async () => {
  const { pair, stores, tenantId, write } = await startAccepting()
  pair.replication.stall()
  await expect(stores.payouts.commit(write)).rejects.toBeInstanceOf(Unavailable)
  const others = [
    () => stores.payouts.commit(write),
    () => stores.wallets.find(tenantId),
    () => stores.payouts.claimDue(1, 15),
    () => stores.ping(),
  ]
  for (const other of [...others, ...others, ...others]) await expect(other()).rejects.toThrow('wait for a standby')
  expect(await sql(pair, waiting)).toHaveLength(1)

  pair.replication.resume()
  await untilAnswering(stores)
  expect(await stores.payouts.commit(write)).toBe('stale')
})

test.each([
  ['pg_terminate_backend', 'ended'],
  ['pg_cancel_backend', 'cancelled'],
])('a commit whose wait is ended by %s is not taken for durable', async (end) => {
  const { pair, stores, write, payout } = await startAccepting()
  pair.replication.stall()
  const outcome = stores.payouts.commit(write).then(
    () => 'committed',
    (error: unknown) => error,
  )
  await untilWaiting(pair)
  await sql(pair, `select ${end}(pid) from (${waiting}) w`)
  expect(await outcome).toBeInstanceOf(Unavailable)
  expect(await payoutsOf(pair)).toEqual([{ id: payout.id }]) // visible, but on no standby

  await Promise.all(
    [
      () => stores.payouts.get(payout.tenantId, payout.id),
      () => stores.payouts.find(payout.tenantId, payout.transactionId),
      () => stores.payouts.list(payout.tenantId, { limit: 1 }),
      () => stores.wallets.find(payout.tenantId),
      () => stores.quotes.find(payout.tenantId, payout.quoteId),
      () => stores.ping(),
    ].map((read) => expect(read()).rejects.toBeInstanceOf(Unavailable)),
  )

  pair.replication.resume()
  await untilAnswering(stores)
  expect(await stores.payouts.get(payout.tenantId, payout.id)).toEqual(payout)
})

test('a confirmed read does not return a row that became visible by a crash before the standby has it', async () => {
  const { pair, stores, write, payout } = await startAccepting()
  pair.replication.stall()
  const outcome = stores.payouts.commit(write).catch((error: unknown) => error)
  await untilWaiting(pair)
  await pair.primary.crash()
  expect(await outcome).toBeInstanceOf(Unavailable)
  expect(await payoutsOf(pair)).toEqual([{ id: payout.id }])
  const read = (): Promise<unknown> =>
    stores.payouts.findForCreate(payout.tenantId, payout.transactionId, payout.quoteId, 'confirmed')
  await expect(read()).rejects.toBeInstanceOf(Unavailable)

  await pair.primary.kill()
  await pair.promote()
  pair.address.pointTo(pair.standby)
  await untilAnswering(stores)
  const found = await read()
  expect(found).toMatchObject({ stored: undefined, quote: { status: 'open' } })
  // These stores remember no durable write, so a worker compares the network's payments first.
  const { unchecked } = await stores.restores.gate()
  if (unchecked === null) throw new Error('the server was accepted')
  expect(await stores.restores.accept(unchecked)).toBe(true)
  expect(await stores.payouts.commit(write)).toBe('committed')
})

test('a commit whose answer was lost is read back and confirmed while the standby answers', async () => {
  const { pair, acceptCommit, newQuote, newWallet } = await startPair()
  const write = acceptCommit(await newQuote(await newWallet(usdt(10n)), { source: usdt(4n) }))
  const { fragile, proxy } = await openFragileStores(pair.primary.urlFor('quipu'))
  const cut = proxy.cutNext('accept_payouts', 'done')
  expect(await fragile.payouts.commit(write)).toBe('committed')
  await cut
  await fragile.close()
  await proxy.shut()
  expect(await payoutsOf(pair)).toEqual([{ id: write.step.payout.id }])
})

test('stores refuse a server in recovery', async () => {
  const { pair, stores, tenantId, write } = await startAccepting()
  expect(await stores.payouts.commit(write)).toBe('committed')
  pair.address.pointTo(pair.standby)
  const { payout } = write.step
  const { transactionId, quoteId } = payout
  const reads = [
    () => stores.ping(),
    () => stores.payouts.get(tenantId, payout.id),
    () => stores.payouts.list(tenantId, { limit: 1 }),
    () => stores.payouts.findForCreate(tenantId, transactionId, quoteId, 'latest'),
  ]
  // The first read may still use a connection to the primary, which was cut.
  for (const read of reads) await expect.poll(() => read().catch(String)).toContain('accepts no writes')

  pair.address.pointTo(pair.primary)
  expect(await stores.payouts.get(tenantId, payout.id)).toEqual(payout)
})

test('migrate refuses a standby', async () => {
  const { pair } = await startPair()
  await expect(migrate(pair.standby.urlFor('quipu'))).rejects.toThrow(
    'the server is a standby: run the migration on its primary',
  )
})

test('without synchronous standbys a confirmation writes nothing', async () => {
  const { pair, stores, newWallet } = await startPair({ synchronous: false })
  const tenantId = await newWallet(usdt(1n))
  const position = async (): Promise<unknown> =>
    (await sql(pair, 'select pg_current_wal_insert_lsn()::text as lsn'))[0]?.['lsn']
  await stores.wallets.find(tenantId)
  await sql(pair, 'checkpoint')
  const before = await position()
  for (let times = 0; times < 5; times++) await stores.wallets.find(tenantId)
  expect(await position()).toBe(before)
})
