import { approveAdjustment } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import type { Adjustment } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

/** Records a difference as the ledger check does. @returns its id */
async function record(tenantId: string, check: string, kind: string): Promise<string> {
  const subject = `${tenantId} ${check} ${kind}`
  await harness.sql(`select quipu.record_difference($1, $2, $3, $4, 'off by 7', 100, 107)`, [
    check,
    tenantId,
    kind,
    subject,
  ])
  const [row] = await harness.sql('select id from quipu.difference where subject = $1', [subject])
  return String(row?.['id'])
}

let count = 0
/** Adjusts the wallet by an approved proposal that books this difference. */
async function book(tenantId: string, differenceId: string, over: Partial<Adjustment> = {}) {
  const adjustment: Adjustment = {
    id: `booking_${++count}`,
    tenantId,
    direction: 'in',
    amount: usdt(7n),
    differenceId,
    reason: 'a lost entry',
    actor: 'ana',
    ...over,
  }
  await approveAdjustment(harness.stores, adjustment)
  return harness.stores.wallets.adjust(adjustment)
}

test('a booked difference explains the balance, and does not change it', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  await harness.sql('update quipu.wallet set available = 107 where tenant_id = $1', [tenantId])
  const differenceId = await record(tenantId, 'ledger', 'available')
  for (const wrong of [{ amount: usdt(6n) }, { direction: 'out' }] as const)
    expect(await book(tenantId, differenceId, wrong)).toBe('difference_not_open')
  expect(await book(tenantId, 'dif_unknown')).toBe('difference_not_open')
  expect(await book(tenantId, differenceId)).toBe('committed')
  expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(107n) })
  await harness.expectBalanced(tenantId)
})

test('only an open difference of this wallet’s available balance is booked', async () => {
  const [tenantId, other] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(1n))]
  const closed = await record(tenantId, 'ledger', 'available')
  await harness.sql(
    `update quipu.difference set closed_at = now(), closed_by = 'ana', close_reason = 'known' where id = $1`,
    [closed],
  )
  for (const differenceId of [
    closed,
    'dif_unknown',
    await record(tenantId, 'ledger', 'held'),
    await record(tenantId, 'audit', 'available'),
    await record(other, 'ledger', 'available'),
  ])
    expect(await book(tenantId, differenceId)).toBe('difference_not_open')
  expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(100n) })
  await harness.expectBalanced(tenantId)
})

test('a booked difference is no longer open, and another wallet’s stays open', async () => {
  const [tenantId, other] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(100n))]
  await harness.sql('update quipu.wallet set available = 107 where tenant_id = $1', [tenantId])
  await harness.sql(
    `select quipu.record_difference('ledger', w.tenant_id, 'available', w.id, 'off by 7', 100, 107)
     from quipu.wallet w where w.tenant_id = any ($1)`,
    [[tenantId, other]],
  )
  const differenceOf = async (id: string) => {
    const found = 'select id, status from quipu.difference where tenant_id = $1'
    const [row] = await harness.sql(found, [id])
    return row
  }
  expect(await book(tenantId, String((await differenceOf(tenantId))?.['id']))).toBe('committed')
  expect((await differenceOf(tenantId))?.['status']).not.toBe('open')
  expect((await differenceOf(other))?.['status']).toBe('open')
})
