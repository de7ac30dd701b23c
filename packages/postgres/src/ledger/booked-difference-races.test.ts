import { approveAdjustment } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import type { Adjustment } from '@quipu/core/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
beforeAll(async () => {
  harness = await openStoreHarness()
})
afterAll(() => harness.close())

test('a difference that is booked while the ledger is checked is not found again', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  await harness.sql('update quipu.wallet set available = 107 where tenant_id = $1', [tenantId])
  const check = () =>
    harness.stores.ledgerCheck.wallets({ wallets: 10, postings: 100, everySeconds: 0 })
  await check()
  const open = `select id, change::text from quipu.difference
    where tenant_id = $1 and kind = 'available' and status = 'open'`
  const [drift] = await harness.sql(open, [tenantId])
  const adjustment: Adjustment = {
    ...{ id: 'booking', tenantId, direction: 'in', amount: usdt(7n) },
    ...{ differenceId: String(drift?.['id']), reason: 'a lost entry', actor: 'ana' },
  }
  await approveAdjustment(harness.stores, adjustment)

  const booking = await openTransaction(harness.stores.url)
  expect(
    await booking.sql('select quipu.adjust_wallets($1, $2, $3, $4, $5, $6, null) as results', [
      ...[[tenantId], ['booking'], ['in'], [7], ['a lost entry'], ['ana']],
    ]),
  ).toEqual([{ results: ['committed'] }])
  const checking = check()
  await doesWait(harness.sql, checking)
  await booking.commit()
  await checking
  expect(await harness.sql(open, [tenantId])).toEqual([])
})
