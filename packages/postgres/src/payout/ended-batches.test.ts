import { usdt } from '@quipu/core'
import { eventsAbout, type InsertEndedOptions, laterInstant } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { newEndpoint } from '../test/deliveries.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

const harness = useStoreHarness()

const seconds = (n: number): Date => new Date(laterInstant.getTime() + n * 1000)

type Ended = ReturnType<StoreHarness['insertEndedCommit']>

/** A payout of the tenant that ends, before it is accepted, this many seconds after `laterInstant`. */
const ended = async (tenantId: string, at: number, options: InsertEndedOptions = {}) =>
  harness.insertEndedCommit(await harness.newQuote(tenantId, { source: usdt(1n) }), { at: seconds(at), ...options })

const insert = (...writes: readonly Ended[]) => inOneBatch(harness.sql, writes)

/** Expects these events about the payout, byte for byte. */
async function expectEvents({ step }: Ended, redatedTo?: Date): Promise<void> {
  const { tenantId, id } = step.payout
  const stored = await eventsAbout(harness.stores, tenantId, id)
  const event = step.event?.recordedOn(redatedTo ?? step.event.recordedAt)
  const plain = (each: { readonly id: string; readonly body: Uint8Array }) => ({ id: each.id, body: [...each.body] })
  expect(stored.map(plain)).toEqual(event ? [plain(event)] : [])
}

/** The tenant's log of payouts. */
const logOf = (tenantId: string) =>
  harness.sql(`select payout_id, ended_at from quipu.payout_end where tenant_id = $1 order by ended_at, seq`, [
    tenantId,
  ])
const entry = ({ step }: Ended, at = step.payout.endedAt) => ({ payout_id: step.payout.id, ended_at: at })

const walletOf = async (tenantId: string) =>
  (await harness.sql('select * from quipu.wallet where tenant_id = $1', [tenantId]))[0]

test('ended payouts of a batch have their own events, in the order of their instants', async () => {
  const [one, two] = [await harness.newWallet(usdt(1n)), await harness.newWallet(usdt(0n))]
  const known = await ended(one, 0)
  const { transactionId: knownId } = known.step.payout
  expect(await insert(known)).toEqual(['committed'])
  const transactionId = 'shared'
  const batch = [
    await ended(one, 3),
    await ended(two, 1, { transactionId }),
    await ended(one, 2, { code: 'QR_REFUSED' }),
    await ended(one, 1, { transactionId }),
    await ended(one, 1, { transactionId }),
    await ended(two, 1, { transactionId: knownId }),
    await ended(one, 9, { transactionId: knownId }),
  ] as const
  const [third, other, rejected, first, repeated, last, taken] = batch
  expect(await insert(...batch)).toEqual([
    'committed',
    'committed',
    'committed',
    'committed',
    'stale',
    'committed',
    'stale',
  ])
  for (const each of [third, other, rejected, first, last]) await expectEvents(each)
  for (const { step } of [repeated, taken])
    expect(await harness.stores.payouts.get(one, step.payout.id)).toBeUndefined()
  expect(await logOf(one)).toEqual([known, first, rejected, third].map((each) => entry(each)))
  expect(await logOf(two)).toEqual([entry(other), entry(last)])
  // The first entry of a wallet with a balance is the adjustment that funded it.
  expect(await walletOf(one)).toMatchObject({ seq: '5', logged_at: seconds(3), updated_at: seconds(3) })
  expect(await walletOf(two)).toMatchObject({ seq: '2', logged_at: seconds(1), updated_at: seconds(1) })
})

test('an ended payout that is earlier than the log is redated, and no other tenant’s', async () => {
  const [late, early] = [await harness.newWallet(usdt(0n)), await harness.newWallet(usdt(0n))]
  expect(await insert(await ended(late, 5))).toEqual(['committed'])
  const batch = [
    await ended(early, 1),
    await ended(late, 1),
    await ended(late, 2, { code: 'QR_REFUSED' }),
    await ended(late, 6),
    await ended(late, 5),
  ] as const
  const redated = { redatedTo: seconds(5) }
  expect(await insert(...batch)).toEqual(['committed', redated, redated, 'committed', 'committed'])
  for (const each of [batch[1], batch[2]]) await expectEvents(each, seconds(5))
  for (const each of [batch[0], batch[3], batch[4]]) await expectEvents(each)
  expect((await logOf(late)).slice(1)).toEqual([
    entry(batch[1], seconds(5)),
    entry(batch[2], seconds(5)),
    entry(batch[4]),
    entry(batch[3]),
  ])
  expect(await walletOf(late)).toMatchObject({ seq: '5', updated_at: seconds(6) })
})

test('a payout that ends before the wallet’s newest change leaves that instant', async () => {
  const tenantId = await harness.newWallet(usdt(1n))
  await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n) }))
  await harness.sql(`update quipu.wallet set updated_at = $2 where tenant_id = $1`, [tenantId, seconds(9)])
  expect(await insert(await ended(tenantId, 1))).toEqual(['committed'])
  expect(await walletOf(tenantId)).toMatchObject({ logged_at: seconds(1), updated_at: seconds(9) })
})

test('a batch is signaled to the endpoints of its tenants, once, and only when something was inserted', async () => {
  const [listening, silent] = [await harness.newWallet(usdt(0n)), await harness.newWallet(usdt(0n))]
  await newEndpoint(harness, listening)
  const signals = () =>
    harness.sql('select tenant_ids from quipu.delivery_signal where $1 = any (tenant_ids)', [listening])
  const batch = [await ended(listening, 1), await ended(silent, 1), await ended(listening, 2)]
  expect(await insert(...batch)).toEqual(['committed', 'committed', 'committed'])
  expect(await signals()).toEqual([{ tenant_ids: [listening] }])
  expect(await insert(...batch)).toEqual(['stale', 'stale', 'stale'])
  expect(await signals()).toHaveLength(1)
  expect(await insert(...batch, await ended(listening, 3))).toContain('committed')
  expect(await signals()).toHaveLength(2)
})

test('a batch that meets another of its tenant is logged after it', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  const [first, second] = [await ended(tenantId, 1), await ended(tenantId, 2)]
  const inserting = await openTransaction(harness.stores.url)
  expect(await inOneBatch(inserting.sql, [first])).toEqual(['committed'])
  const work = harness.stores.payouts.commit(second)
  const isWaiting = await doesWait(harness.sql, work)
  await inserting.commit()
  expect([isWaiting, await work]).toEqual([true, 'committed'])
  const log = 'select seq from quipu.payout_end where tenant_id = $1 order by ended_at'
  expect(await harness.sql(log, [tenantId])).toEqual([{ seq: '1' }, { seq: '2' }])
  expect(await walletOf(tenantId)).toMatchObject({ seq: '2', logged_at: seconds(2) })
})

test('a batch waits for the wallets of its own tenants only', async () => {
  const [own, other] = [await harness.newWallet(usdt(0n)), await harness.newWallet(usdt(0n))]
  const holding = await openTransaction(harness.stores.url)
  const lock = 'select from quipu.wallet where tenant_id = $1 for update'
  const { commit } = harness.stores.payouts
  await holding.sql(lock, [other])
  const first = commit(await ended(own, 1))
  const waits = [await doesWait(harness.sql, first)]
  await holding.sql(lock, [own])
  const second = commit(await ended(own, 1))
  waits.push(await doesWait(harness.sql, second))
  await holding.commit()
  expect(waits).toEqual([false, true])
  expect(await Promise.all([first, second])).toEqual(['committed', 'committed'])
})

test('an event has the id of its row, though the process sends one of another instant', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  const { step, ...write } = await ended(tenantId, 1)
  const event = step.event && { ...step.event, id: '0196f000-0000-7000-8000-000000000001' }
  expect(await insert({ ...write, step: { ...step, event } })).toEqual(['committed'])
  const [stored] = await eventsAbout(harness.stores, tenantId, step.payout.id)
  expect(JSON.parse(Buffer.from(stored?.body ?? '').toString())).toMatchObject({ id: stored?.id })
})
