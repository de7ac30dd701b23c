import { approveAdjustment } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import type { Adjustment } from '@quipu/core/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doesWait, openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
beforeAll(async () => {
  harness = await openStoreHarness()
})
afterAll(() => harness.close())

/** A wallet with 7 micro-USDT too much, and the approved booking of that difference. */
async function drifted(id: string): Promise<Adjustment> {
  const tenantId = await harness.newWallet(usdt(100n))
  await harness.sql('update quipu.wallet set available = 107 where tenant_id = $1', [tenantId])
  await check()
  const [drift] = await harness.sql(openDrift, [tenantId])
  const adjustment: Adjustment = {
    ...{ id, tenantId, direction: 'in', amount: usdt(7n), differenceId: String(drift?.['id']) },
    ...{ reason: 'a lost entry', actor: 'ana' },
  }
  await approveAdjustment(harness.stores, adjustment)
  return adjustment
}

const openDrift = `select id from quipu.difference
  where tenant_id = $1 and kind = 'available' and status = 'open'`
const check = () =>
  harness.stores.ledgerCheck.wallets({ wallets: 10, postings: 100, everySeconds: 0 })

test('a difference that is booked while the ledger is checked is not found again', async () => {
  const { id, tenantId } = await drifted('booked')
  const booking = await openTransaction(harness.stores.url)
  expect(
    await booking.sql('select quipu.adjust_wallets($1, $2, $3, $4, $5, $6, null) as results', [
      ...[[tenantId], [id], ['in'], [7], ['a lost entry'], ['ana']],
    ]),
  ).toEqual([{ results: ['committed'] }])
  const checking = check()
  await doesWait(harness.sql, checking)
  await booking.commit()
  await checking
  expect(await harness.sql(openDrift, [tenantId])).toEqual([])
})

test('a booking that waits for a check of the ledger does not lock the wallet meanwhile', async () => {
  const adjustment = await drifted('waiting')
  const checking = await openTransaction(harness.stores.url)
  await checking.sql('select quipu.lock_differences()')
  const booking = harness.stores.wallets.adjust(adjustment)
  await untilWaiting(harness.sql, 1, booking)
  const unlocked = 'select from quipu.wallet where tenant_id = $1 for update skip locked'
  expect(await harness.sql(unlocked, [adjustment.tenantId])).toHaveLength(1)
  await checking.commit()
  expect(await booking).toBe('committed')
})
