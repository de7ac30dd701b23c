import { usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { laterInstant, paidAnswer } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from './one-batch.fixture.ts'

let harness: StoreHarness
beforeAll(async () => {
  harness = await openStoreHarness()
})
afterAll(() => harness.close())

/** Sends a write alone, with any values, as a process with the stores' password could. */
const send = (write: Parameters<typeof inOneBatch<'apply' | 'settle'>>[1][number]) =>
  inOneBatch(harness.sql, [write])

const walletOf = (tenantId: string) => harness.stores.wallets.find(tenantId)

test('a hold that is not its quote’s price is refused, and moves nothing', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  for (const hold of [9n, 11n]) {
    const cheap = harness.applyCommit({ ...quote, source: usdt(hold) })
    await expect(send(cheap)).rejects.toThrow('not every payout can be applied')
  }
  expect(await walletOf(tenantId)).toMatchObject({ available: usdt(100n), held: usdt(0n) })
})

test.each([
  ['completed', null],
  ['completed', 'QUOTE_EXPIRED'],
  ['failed', 'PAYMENT_FAILED'],
  ['processing', null],
  ['cancelled', 'PAYMENT_CANCELLED'],
  ['cancelled', 'INSUFFICIENT_FUNDS'],
  ['cancelled', null],
  ['rejected', 'QUOTE_EXPIRED'],
])('a payout without a hold does not end %s with the code %s', async (status, code) => {
  const tenantId = await harness.newWallet(usdt(100n))
  const write = harness.insertEndedCommit(await harness.newQuote(tenantId))
  const { payout } = write.step
  const forged = { ...payout, status, error: { ...payout.error, code } } as typeof payout
  const step = { ...write.step, payout: forged }
  const { payouts } = harness.stores
  await expect(payouts.commit({ ...write, step })).rejects.toThrow('payout_end_sound')
  expect(await payouts.get(tenantId, payout.id)).toBeUndefined()
})

test.each([
  ['processing', 'PAYMENT_FAILED'],
  ['failed', 'X'],
  ['cancelled', 'QUOTE_EXPIRED'],
])('a payout with a hold does not end %s with the code %s', async (status, code) => {
  const tenantId = await harness.newWallet(usdt(100n))
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }))
  const write = harness.settleCommit(payout, { type: 'refused_payment' })
  const forged = { ...write.step.payout, status, error: { code, message: 'x' } }
  const step = { ...write.step, payout: forged as (typeof write.step)['payout'] }
  await expect(harness.stores.payouts.commit({ ...write, step })).rejects.toThrow(
    'payout_end_sound',
  )
  expect(await harness.stores.payouts.get(tenantId, payout.id)).toEqual(payout)
})

test('another tenant’s quote is not applied', async () => {
  const [tenantId, other] = [
    await harness.newWallet(usdt(100n)),
    await harness.newWallet(usdt(100n)),
  ]
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  const stolen = harness.applyCommit({ ...quote, tenantId: other })
  expect(await send(stolen)).toEqual(['quote_expired'])
  expect(await walletOf(other)).toMatchObject({ available: usdt(100n), held: usdt(0n) })
  // The tenant itself still can.
  expect(await send(harness.applyCommit(quote))).toEqual(['committed'])
})

test('an unknown quote is not applied, though another one has its price', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  const unknown = { ...quote, id: harness.ids.uuid(new Date()) }
  expect(await send(harness.applyCommit(unknown))).toEqual(['quote_expired'])
  expect(await walletOf(tenantId)).toMatchObject({ available: usdt(100n), held: usdt(0n) })
})

test('a wallet above its daily limit does not keep others of the batch from paying, nor they it', async () => {
  const [limited, lowered, free] = [
    await harness.newWallet(usdt(100n), { dailyLimits: { amount: usdt(9n), count: null } }),
    await harness.newWallet(usdt(100n)),
    await harness.newWallet(usdt(100n), { dailyLimits: { amount: usdt(99n), count: 9 } }),
  ]
  // Its limit is below what it has used already.
  await harness.newPayout(await harness.newQuote(lowered, { source: usdt(10n) }))
  await harness.sql('update quipu.wallet set daily_limit_count = 0 where tenant_id = $1', [lowered])
  const applies = await Promise.all(
    [limited, lowered, free].map(async (tenantId) =>
      harness.applyCommit(await harness.newQuote(tenantId, { source: usdt(10n) })),
    ),
  )
  const limitExceeded = 'daily_limit_exceeded'
  expect(await inOneBatch(harness.sql, applies)).toEqual([
    limitExceeded,
    limitExceeded,
    'committed',
  ])
})

test('tenants of a batch may use one transaction_id, and a count limit ends with its last payout', async () => {
  const dailyLimits = { amount: null, count: 2 }
  const [one, two] = [
    await harness.newWallet(usdt(100n), { dailyLimits }),
    await harness.newWallet(usdt(100n)),
  ]
  const applies = await Promise.all(
    [one, two, one, one].map(async (tenantId, n) =>
      harness.applyCommit(await harness.newQuote(tenantId, { source: usdt(10n) }), {
        transactionId: n < 2 ? 'shared' : `own-${n}`,
      }),
    ),
  )
  expect(await inOneBatch(harness.sql, applies)).toEqual([
    ...['committed', 'committed', 'committed'],
    'daily_limit_exceeded',
  ])
})

test('a batch is due when the first of its leases ends', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const applies = await Promise.all(
    [60, 10].map(async (leaseSeconds) =>
      harness.applyCommit(await harness.newQuote(tenantId, { source: usdt(10n) }), {
        leaseSeconds,
      }),
    ),
  )
  expect(await inOneBatch(harness.sql, applies)).toEqual(['committed', 'committed'])
  const due = `
    select l.due_at = min(p.leased_until) as is_first
    from quipu.payout_lease l join quipu.payout p on p.id = any (l.payout_ids)
    where p.tenant_id = $1 group by l.due_at`
  expect(await harness.sql(due, [tenantId])).toEqual([{ is_first: true }])
})

test('a claim of another payout of the tenant does not make a settlement stale', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const [claimed, payout] = [
    await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) })),
    await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) })),
  ]
  await harness.sql(
    `insert into quipu.payout_open (payout_id, tenant_id, fencing_token, leased, due_at, claim_count)
     values ($1, $2, 2, true, now(), 1)`,
    [claimed.id, tenantId],
  )
  const settlements = [claimed, payout].map((each) =>
    harness.settleCommit(each, { type: 'cancelled' }),
  )
  expect(await inOneBatch(harness.sql, settlements)).toEqual(['stale', 'committed'])
})

test('only an entry that is later than its settlement is redated', async () => {
  const [late, early] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(100n))]
  const payouts = await Promise.all(
    [late, late, early].map(async (tenantId) =>
      harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) })),
    ),
  )
  const [first, second, third] = payouts as [ProcessingPayout, ProcessingPayout, ProcessingPayout]
  const after = new Date(laterInstant.getTime() + 1000)
  await send(harness.settleCommit(first, paidAnswer(first), { at: after }))
  const settlements = [second, third].map((payout) =>
    harness.settleCommit(payout, paidAnswer(payout), { at: laterInstant }),
  )
  expect(await inOneBatch(harness.sql, settlements)).toEqual([{ redatedTo: after }, 'committed'])
})

test('payments are halted in a database that was restored', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const apply = harness.applyCommit(await harness.newQuote(tenantId, { source: usdt(10n) }))
  await harness.sql('update quipu.lineage set system_id = system_id + 1')
  await expect(send(apply)).rejects.toThrow('the database was restored: payments are halted')
  await harness.sql('update quipu.lineage set system_id = system_id - 1')
  expect(await send(apply)).toEqual(['committed'])
})

test('a settlement of another amount is refused, and moves nothing', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const [payout, other] = [
    await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) })),
    await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(20n) })),
  ]
  for (const amount of [9n, 20n])
    for (const end of [paidAnswer(payout), { type: 'cancelled' } as const]) {
      const wrong = { ...payout, quote: { ...payout.quote, source: usdt(amount) } }
      const settlement = harness.settleCommit(wrong, end)
      await expect(send(settlement)).rejects.toThrow('not every payout can be settled')
    }
  expect(await walletOf(tenantId)).toMatchObject({ available: usdt(70n), held: usdt(30n) })
  await harness.stores.payouts.commit(harness.settleCommit(other, { type: 'cancelled' }))
  await harness.expectBalanced(tenantId)
})

test('a settlement in another tenant’s name, or of an ended or unknown payout, is stale', async () => {
  const [tenantId, other] = [
    await harness.newWallet(usdt(100n)),
    await harness.newWallet(usdt(100n)),
  ]
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }))
  await harness.newPayout(await harness.newQuote(other, { source: usdt(10n) }))
  const stolen = harness.settleCommit({ ...payout, tenantId: other }, { type: 'cancelled' })
  expect(await send(stolen)).toEqual(['stale'])
  const unknown = harness.settleCommit({ ...payout, id: 'po_unknown' }, { type: 'cancelled' })
  expect(await send(unknown)).toEqual(['stale'])
  const settlement = harness.settleCommit(payout, { type: 'cancelled' })
  expect(await send(settlement)).toEqual(['committed'])
  expect(await send(settlement)).toEqual(['stale'])
  for (const each of [tenantId, other]) await harness.expectBalanced(each)
})

/** The whole row, with what no port shows. */
const rowOf = async (tenantId: string) => {
  const [row] = await harness.sql('select * from quipu.wallet where tenant_id = $1', [tenantId])
  return row
}

test('a wallet whose items of a batch do not fit stays as it is, and others count what fits', async () => {
  const [poor, rich] = [await harness.newWallet(usdt(5n)), await harness.newWallet(usdt(100n))]
  const before = await rowOf(poor)
  const quotes = [
    await harness.newQuote(poor, { source: usdt(6n) }),
    await harness.newQuote(rich, { source: usdt(10n) }),
    await harness.newQuote(rich, { source: usdt(91n) }),
    await harness.newQuote(rich, { source: usdt(20n) }),
  ]
  const applies = quotes.map((quote) => harness.applyCommit(quote))
  expect(await inOneBatch(harness.sql, applies)).toEqual([
    'insufficient_balance',
    'committed',
    'insufficient_balance',
    'committed',
  ])
  expect(await rowOf(poor)).toEqual(before)
  expect(await rowOf(rich)).toMatchObject({
    ...{ available: '70', held: '30', used_amount: '30', used_count: 2 },
  })
  const held = await rowOf(rich)
  expect(held?.['used_on']).toBeInstanceOf(Date) // not '-infinity', a number

  // Of the next batch, the first wallet's settlement does not fit.
  const poorer = await harness.newPayout(await harness.newQuote(poor, { source: usdt(5n) }))
  const cancel = harness.settleCommit(poorer, { type: 'cancelled' })
  expect(await send(cancel)).toEqual(['committed'])
  const settled = await rowOf(poor)
  const payouts = applies.map(({ step }) => step.payout)
  const paid = harness.settleCommit(payouts[1]!, paidAnswer(payouts[1]!))
  const released = harness.settleCommit(payouts[3]!, { type: 'cancelled' })
  expect(await inOneBatch(harness.sql, [cancel, paid, paid, released])).toEqual([
    'stale',
    'committed',
    'stale',
    'committed',
  ])
  expect(await rowOf(poor)).toEqual(settled)
  expect(await rowOf(rich)).toMatchObject({
    ...{ available: '90', held: '0', used_amount: '10', used_count: 1 },
    seq: String(Number(held?.['seq']) + 2),
  })
  for (const tenantId of [poor, rich]) await harness.expectBalanced(tenantId)
})
