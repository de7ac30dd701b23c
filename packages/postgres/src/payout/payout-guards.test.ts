import { usdt } from '@quipu/core'
import { payoutMessages } from '@quipu/core/adapter'
import { asRecorded, credentialOf, eventsAbout } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

const harness = useStoreHarness()

/** Sends a write alone, with any values, as a process with the stores' password could. */
const send = (write: Parameters<typeof inOneBatch<'accept' | 'settle'>>[1][number]) => inOneBatch(harness.sql, [write])

const walletOf = (tenantId: string) => harness.stores.wallets.find(tenantId)

test('a hold that is not its quote’s price is refused, and moves nothing', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  for (const hold of [9n, 11n]) {
    const cheap = harness.acceptCommit({ ...quote, source: usdt(hold) })
    await expect(send(cheap)).rejects.toThrow('a hold is not the price of its quote')
  }
  expect(await walletOf(tenantId)).toMatchObject({ available: usdt(100n), held: usdt(0n) })
})

test('items that a wallet can pay alone but not together are decided one after the other', async () => {
  const dailyLimits = { amount: usdt(12n), count: 9 }
  const [poor, limited] = [await harness.newWallet(usdt(10n)), await harness.newWallet(usdt(100n), { dailyLimits })]
  const accept = async (tenantId: string, source: bigint) =>
    harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(source) }))
  const batch = [
    await accept(poor, 20n),
    await accept(limited, 8n),
    await accept(poor, 6n),
    await accept(poor, 5n),
    await accept(limited, 5n),
    await accept(poor, 4n),
    await accept(limited, 4n),
  ]
  expect(await inOneBatch(harness.sql, batch)).toEqual([
    'insufficient_balance',
    'committed',
    'committed',
    'insufficient_balance',
    'daily_limit_exceeded',
    'committed',
    'committed',
  ])
  expect(await walletOf(poor)).toMatchObject({ available: usdt(0n), held: usdt(10n) })
  expect(await walletOf(limited)).toMatchObject({ available: usdt(88n), held: usdt(12n) })
  for (const tenantId of [poor, limited]) await harness.expectBalanced(tenantId)
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

/** Codes of payouts that were ordered, and of rejected ones. */
const otherCodes = ['INSUFFICIENT_FUNDS', 'PAYMENT_CANCELLED', 'PAYMENT_FAILED', 'QR_REFUSED']
const declineCodes = Object.keys(payoutMessages).filter((code) => !otherCodes.includes(code))

test.each(declineCodes)('a payout without a hold ends cancelled with the code %s', async (code) => {
  const tenantId = await harness.newWallet(usdt(100n))
  const write = harness.insertEndedCommit(await harness.newQuote(tenantId))
  const { payout } = write.step
  const declined = { ...payout, error: { ...payout.error, code } } as typeof payout
  const { payouts } = harness.stores
  expect(await payouts.commit({ ...write, step: { ...write.step, payout: declined } })).toBe('committed')
  expect(await payouts.get(tenantId, payout.id)).toMatchObject({ status: 'cancelled', error: { code } })
})

test.each([
  ['processing', 'PAYMENT_FAILED'],
  ['failed', 'X'],
  ...declineCodes.filter((code) => code !== 'AMOUNT_EXCEEDS_PROVIDER_LIMIT').map((code) => ['cancelled', code]),
])('a payout with a hold does not end %s with the code %s', async (status, code) => {
  const tenantId = await harness.newWallet(usdt(100n))
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }))
  const write = harness.settleCommit(payout, { type: 'refused_payment' })
  const forged = { ...write.step.payout, status, error: { code, message: 'x' } }
  const step = { ...write.step, payout: forged as (typeof write.step)['payout'] }
  await expect(harness.stores.payouts.commit({ ...write, step })).rejects.toThrow('payout_end_sound')
  expect(await harness.stores.payouts.get(tenantId, payout.id)).toEqual(payout)
})

test('the event of a payout says what its rows say, whatever the process sends', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const quote = () => harness.newQuote(tenantId, { source: usdt(10n) })
  const transactionId = '","status":"completed\u001d\u001f\\"'
  const accepted = await harness.newPayout(await quote(), { transactionId })
  const settled = harness.settleCommit(accepted, { type: 'refused_payment' })
  const ended = harness.insertEndedCommit(await quote(), { transactionId: `${transactionId}2` })
  for (const write of [settled, ended]) {
    const { event } = write.step
    if (event === null) throw new Error('it has an event')
    const step = { ...write.step, event: { ...event, type: 'payout.completed' } }
    await harness.stores.payouts.commit({ ...write, step } as typeof write)
    const { id, status } = write.step.payout
    const [stored] = await eventsAbout(harness.stores, tenantId, id)
    const data = { id, status, transaction_id: write.step.payout.transactionId }
    expect(JSON.parse(new TextDecoder().decode(Uint8Array.from(stored?.body ?? [])))).toMatchObject({
      type: `payout.${status}`,
      data,
    })
    expect([...(stored?.body ?? [])]).toEqual([...asRecorded(event).body])
  }
})

test('another tenant’s quote is not accepted', async () => {
  const [tenantId, other] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(100n))]
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  const stolen = harness.acceptCommit({ ...quote, tenantId: other })
  expect(await send(stolen)).toEqual(['quote_expired'])
  expect(await walletOf(other)).toMatchObject({ available: usdt(100n), held: usdt(0n) })
  // The tenant itself still can, of which the other learns nothing.
  expect(await send(harness.acceptCommit(quote))).toEqual(['committed'])
  expect(await send(stolen)).toEqual(['quote_expired'])
})

test('an unknown quote is not accepted, though another one has its price', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  const unknown = { ...quote, id: harness.ids.uuid(new Date()) }
  expect(await send(harness.acceptCommit(unknown))).toEqual(['quote_expired'])
  expect(await walletOf(tenantId)).toMatchObject({ available: usdt(100n), held: usdt(0n) })
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
  const settlements = [claimed, payout].map((each) => harness.settleCommit(each, { type: 'cancelled' }))
  expect(await inOneBatch(harness.sql, settlements)).toEqual(['stale', 'committed'])
})

test('a batch that waits for a wallet while payouts are stopped is refused, as is an order that ends at once', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const accept = harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(10n) }))
  const ended = harness.insertEndedCommit(await harness.newQuote(tenantId))
  const holder = await openTransaction(harness.stores.url)
  await holder.sql('select from quipu.wallet for no key update')
  const orders = [accept, ended].map((order) => harness.stores.payouts.commit(order))
  const refused = Promise.allSettled(orders)
  await untilWaiting(harness.sql, 2, ...orders)
  await harness.stores.restores.stop('paid twice', { ...credentialOf('ana'), at: new Date() })
  await holder.commit()
  for (const order of await refused)
    expect(order).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('stopped') as string },
    })
  expect(await walletOf(tenantId)).toMatchObject({ available: usdt(100n), held: usdt(0n) })
  await harness.sql('update quipu.lineage set stopped_at = null, stopped_by = null, stop_reason = null')
  expect(await send(accept)).toEqual(['committed'])
})

test('no payment is accepted while payments are halted, or on a start of the server that nobody vouches for', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const accept = harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(10n) }))
  const halted = `halted_at = now(), halt_reason = 'declared', halt_detail = 'a snapshot'`
  const began = `halted_at = null, halt_reason = null, halt_detail = null, server_started = pg_postmaster_start_time()`
  for (const change of [halted, `server_started = server_started - interval '1 s'`]) {
    await harness.sql(`update quipu.lineage set ${change}`)
    await expect(send(accept)).rejects.toThrow('payments are halted')
    await harness.sql(`update quipu.lineage set ${began}`)
  }
  expect(await send(accept)).toEqual(['committed'])
})
