import { approveAdjustment } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import type { Adjustment } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { doesWait, openOtherSession, openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

/** A wallet with 7 micro-USDT too much, and the approved booking of that difference. */
async function drifted(id: string): Promise<Adjustment> {
  const tenantId = await harness.newWallet(usdt(100n))
  await harness.sql('update quipu.wallet set available = 107 where tenant_id = $1', [tenantId])
  await check()
  const [drift] = await harness.sql(openDrift, [tenantId])
  const adjustment: Adjustment = {
    id,
    tenantId,
    direction: 'in',
    amount: usdt(7n),
    differenceId: String(drift?.['id']),
    reason: 'a lost entry',
    actor: 'ana',
  }
  await approveAdjustment(harness.stores, adjustment)
  return adjustment
}

const adjust = 'select quipu.adjust_wallets($1, $2, $3, $4, $5, $6, null) as results'
const openDrift = `select id from quipu.difference
  where tenant_id = $1 and kind = 'available' and status = 'open'`
const check = () => harness.stores.ledgerCheck.wallets({ wallets: 10, postings: 100, everySeconds: 0 })

test('a difference that is booked while the ledger is checked is not found again', async () => {
  const { id, tenantId } = await drifted('booked')
  const booking = await openTransaction(harness.stores.url)
  expect(await booking.sql(adjust, [[tenantId], [id], ['in'], [7], ['a lost entry'], ['ana']])).toEqual([
    { results: ['committed'] },
  ])
  const checking = check()
  await doesWait(harness.sql, checking)
  await booking.commit()
  await checking
  expect(await harness.sql(openDrift, [tenantId])).toEqual([])
})

test('bookings that wait for a check of the ledger do not lock their wallets meanwhile', async () => {
  const adjustments = [await drifted('waiting'), await drifted('waiting too')]
  const checking = await openTransaction(harness.stores.url)
  await checking.sql('select quipu.lock_differences()')
  const tenantIds = adjustments.map(({ tenantId }) => tenantId)
  const booking = harness.sql(adjust, [
    tenantIds,
    adjustments.map(({ id }) => id),
    ['in', 'in'],
    [7, 7],
    adjustments.map(({ reason }) => reason),
    adjustments.map(({ actor }) => actor),
  ])
  await using other = await openOtherSession(harness.stores.url)
  await untilWaiting(other.sql, 1, booking)
  const unlocked = 'select from quipu.wallet where tenant_id = any ($1) for update skip locked'
  expect(await other.sql(unlocked, [tenantIds])).toHaveLength(2)
  await checking.commit()
  expect(await booking).toEqual([{ results: ['committed', 'committed'] }])
})

test('an adjustment waits for a check of the ledger only if it books a difference of that wallet', async () => {
  const [booking, other] = [await drifted('of this wallet'), await drifted('of another wallet')]
  const tenantId = await harness.newWallet(usdt(100n))
  const { direction, amount, reason, actor } = booking
  const plain: Adjustment = { id: 'plain', tenantId, direction, amount, reason, actor }
  await approveAdjustment(harness.stores, plain)
  const checking = await openTransaction(harness.stores.url)
  const lock = 'select from quipu.ledger_check where tenant_id = any ($1) for update'
  expect(await checking.sql(lock, [[other.tenantId, tenantId]])).toHaveLength(2)
  const { adjust: book } = harness.stores.wallets
  const adjusting = [book(plain), book(booking)]
  expect(await doesWait(harness.sql, Promise.all(adjusting))).toBe(false)
  await checking.commit()
  expect(await Promise.all(adjusting)).toEqual(['committed', 'committed'])
})

test('an adjustment out waits for a payout of its wallet, and takes none of its hold', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const about = { tenantId, direction: 'out', reason: 'test', actor: 'ana' } as const
  await approveAdjustment(harness.stores, { ...about, id: 'above', amount: usdt(61n) })
  await approveAdjustment(harness.stores, { ...about, id: 'what is left', amount: usdt(60n) })
  const paying = await openTransaction(harness.stores.url)
  const accept = harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(40n) }))
  expect(await inOneBatch(paying.sql, [accept])).toEqual(['committed'])
  const twice = (value: string) => [value, value]
  const given = [twice(tenantId), ['above', 'what is left'], twice('out'), [61, 60], twice('test'), twice('ana')]
  await using other = await openOtherSession(harness.stores.url)
  const adjusting = other.sql(adjust, given)
  expect(await doesWait(harness.sql, adjusting)).toBe(true)
  await paying.commit()
  expect(await adjusting).toEqual([{ results: ['insufficient_balance', 'committed'] }])
  await harness.expectBalanced(tenantId)
})
