import { usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { eventsAbout, laterInstant, paidAnswer } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'
import { newEndpoint } from '../test/deliveries.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

const harness = useStoreHarness()

const seconds = (n: number): Date => new Date(laterInstant.getTime() + n * 1000)

type Settlement = ReturnType<StoreHarness['settleCommit']>

const newPayout = async (tenantId: string, source: bigint) =>
  harness.newPayout(await harness.newQuote(tenantId, { source: usdt(source) }))
const paid = (payout: ProcessingPayout, at: number) =>
  harness.settleCommit(payout, paidAnswer(payout), { at: seconds(at) })
const cancelled = (payout: ProcessingPayout, at: number) =>
  harness.settleCommit(payout, { type: 'cancelled' }, { at: seconds(at) })
const settle = (...writes: readonly Settlement[]) => inOneBatch(harness.sql, writes)

/** Expects this event about the payout alone, byte for byte. */
async function expectEvent({ step }: Settlement, redatedTo?: Date): Promise<void> {
  const { tenantId, id } = step.payout
  const stored = await eventsAbout(harness.stores, tenantId, id)
  const event = step.event?.recordedOn(redatedTo ?? step.event.recordedAt)
  expect(stored.map((each) => [each.id, ...each.body])).toEqual(event ? [[event.id, ...event.body]] : [])
}

/** The tenant's log of payouts, with the balance after each. */
const logOf = (tenantId: string) =>
  harness.sql(
    `select payout_id, available_after, held_after, ended_at from quipu.payout_end where tenant_id = $1
     order by ended_at, seq`,
    [tenantId],
  )
const entry = ({ step }: Settlement, available: number, held: number, at = step.payout.endedAt) => ({
  payout_id: step.payout.id,
  ended_at: at,
  available_after: String(available),
  held_after: String(held),
})

const walletOf = async (tenantId: string) =>
  (await harness.sql('select * from quipu.wallet where tenant_id = $1', [tenantId]))[0]

test('settlements of a batch have their own events and balances, in the order of their instants', async () => {
  const [one, two] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(100n))]
  const [a, b, c, d] = [
    paid(await newPayout(one, 1n), 3),
    cancelled(await newPayout(two, 2n), 1),
    cancelled(await newPayout(one, 4n), 2),
    paid(await newPayout(one, 8n), 1),
  ]
  await newPayout(one, 16n)
  expect(await settle(a, b, c, d)).toEqual(['committed', 'committed', 'committed', 'committed'])
  for (const each of [a, b, c, d]) await expectEvent(each)
  expect(await logOf(one)).toEqual([entry(d, 71, 21), entry(c, 75, 17), entry(a, 75, 16)])
  expect(await logOf(two)).toEqual([entry(b, 100, 0)])
  const used = { used_amount: '25', used_count: 3 }
  expect(await walletOf(one)).toMatchObject({
    available: '75',
    held: '16',
    seq: '4',
    logged_at: seconds(3),
    updated_at: seconds(3),
    ...used,
  })
  expect(await walletOf(two)).toMatchObject({ available: '100', held: '0', used_count: 0 })
  for (const tenantId of [one, two]) await harness.expectBalanced(tenantId)
})

test('settlements that are earlier than the log are redated, with balances in their order', async () => {
  const [late, early] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(100n))]
  expect(await settle(paid(await newPayout(late, 1n), 5))).toEqual(['committed'])
  const [a, b, c, d] = [
    cancelled(await newPayout(late, 2n), 2),
    cancelled(await newPayout(early, 4n), 1),
    paid(await newPayout(late, 8n), 1),
    paid(await newPayout(late, 16n), 6),
  ]
  const redated = { redatedTo: seconds(5) }
  expect(await settle(a, b, c, d)).toEqual([redated, 'committed', redated, 'committed'])
  for (const each of [a, c]) await expectEvent(each, seconds(5))
  for (const each of [b, d]) await expectEvent(each)
  expect((await logOf(late)).slice(1)).toEqual([
    entry(c, 73, 18, seconds(5)),
    entry(a, 75, 16, seconds(5)),
    entry(d, 75, 0),
  ])
  expect(await walletOf(late)).toMatchObject({ logged_at: seconds(6), updated_at: seconds(6) })
})

test('a settlement before the wallet’s newest change leaves that instant', async () => {
  const tenantId = await harness.newWallet(usdt(1n))
  const payout = await newPayout(tenantId, 1n)
  await harness.sql(`update quipu.wallet set updated_at = $2 where tenant_id = $1`, [tenantId, seconds(9)])
  expect(await settle(paid(payout, 1))).toEqual(['committed'])
  expect(await walletOf(tenantId)).toMatchObject({ logged_at: seconds(1), updated_at: seconds(9) })
})

test('settlements are signaled to the endpoints of their tenants, unless all are stale', async () => {
  const [listening, silent] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(100n))]
  await newEndpoint(harness, listening)
  const signals = () =>
    harness.sql('select tenant_ids from quipu.delivery_signal where $1 = any (tenant_ids)', [listening])
  const batch = [
    paid(await newPayout(listening, 1n), 1),
    paid(await newPayout(silent, 1n), 1),
    cancelled(await newPayout(listening, 1n), 1),
  ]
  expect(await settle(...batch)).toEqual(['committed', 'committed', 'committed'])
  expect(await signals()).toEqual([{ tenant_ids: [listening] }])
  expect(await settle(...batch)).toEqual(['stale', 'stale', 'stale'])
  expect(await signals()).toHaveLength(1)
})

test('a settlement that is stale keeps no other of its tenant from being settled', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const payout = await newPayout(tenantId, 1n)
  const [ended, open] = [cancelled(payout, 1), paid(await newPayout(tenantId, 2n), 2)]
  expect(await settle(ended)).toEqual(['committed'])
  const repeated = cancelled(payout, 9)
  expect(await settle(repeated, open, open)).toEqual(['stale', 'committed', 'stale'])
  expect(await walletOf(tenantId)).toMatchObject({ available: '98', held: '0', seq: '3', logged_at: seconds(2) })
  await harness.expectBalanced(tenantId)
})

test('the postings of holds, captures and releases have both accounts, and the balances after each', async () => {
  const tenantId = await harness.newWallet(usdt(10n))
  const accepts = []
  for (const source of [1n, 2n])
    accepts.push(harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(source) })))
  await inOneBatch(harness.sql, accepts)
  const [first, second] = accepts.map(({ step }) => step.payout)
  if (!first || !second) throw new Error('two were accepted')
  await settle(paid(first, 1), cancelled(second, 2))
  const postings = await harness.sql(
    `select concat_ws(' ', type, debit, credit, amount, available_after, held_after, seq) as posting
     from quipu.posting where tenant_id = $1 and payout_id is not null order by seq nulls first, payout_id`,
    [tenantId],
  )
  expect(postings.map((row) => row['posting'])).toEqual([
    'hold available held 1 9 1',
    'hold available held 2 7 3',
    'capture held payouts 1 7 2 2', // The first entry of the log is the wallet's deposit.
    'release held available 2 9 0 3',
  ])
})
