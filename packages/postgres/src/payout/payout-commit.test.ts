import { usdt } from '@quipu/core'
import { paidAnswer } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('a call without items, or with nulls instead of arrays, returns and writes nothing', async () => {
  const nulls = (count: number): string => Array.from({ length: count }, () => 'null').join()
  for (const call of [`quipu.accept_payouts(${nulls(12)})`, `quipu.settle_payouts(${nulls(11)})`])
    expect(await harness.sql(`select from ${call}`)).toHaveLength(1)
})

test('an item that fails in the database fails alone, with the database’s error', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const accept = async (over = {}) => harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(1n) }), over)
  const items = [await accept(), await accept({ fingerprint: 'nul \u0000' }), await accept()]
  const results = await Promise.allSettled(items.map(harness.stores.payouts.commit))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { name: 'error', code: '22021' } })
  await harness.expectBalanced(tenantId)
})

test('rows of the ledger can be neither changed nor deleted', async () => {
  const tenantId = await harness.newWallet(usdt(10n))
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(4n) }))
  await harness.stores.payouts.commit(harness.settleCommit(payout, paidAnswer(payout)))
  const tables = ['funding_entry', 'quote', 'payout', 'payout_end', 'adjustment', 'audit_log']
  for (const table of tables) {
    const change = table === 'audit_log' ? 'actor = actor' : 'tenant_id = tenant_id'
    for (const statement of [`update quipu.${table} set ${change}`, `truncate quipu.${table}`])
      await expect(harness.sql(statement)).rejects.toThrow('append-only')
    const why = table === 'quote' ? 'is used, or has not expired' : 'append-only'
    await expect(harness.sql(`delete from quipu.${table}`)).rejects.toThrow(why)
  }
})
