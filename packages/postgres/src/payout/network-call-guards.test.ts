import { usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
let payout: ProcessingPayout
beforeAll(async () => {
  harness = await openStoreHarness()
  const tenantId = await harness.newWallet(usdt(100n))
  payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }))
})
afterAll(() => harness.close())

const record = (about: { readonly tenantId: string; readonly id: string }, id: string) =>
  harness.stores.networkCalls.record({ tenantId: about.tenantId, payoutId: about.id }, [
    {
      ...{ id, kind: 'status', answer: 'late', askedBy: 'worker', actor: null },
      ...{ createdAt: someInstant, durationMs: 7, detail: null },
    },
  ])

test('a call about another tenant’s payout, an unknown one, and one that was never applied is refused', async () => {
  const other = await harness.newWallet(usdt(100n))
  await harness.newPayout(await harness.newQuote(other, { source: usdt(10n) }))
  const ended = harness.insertEndedCommit(await harness.newQuote(other))
  await harness.stores.payouts.commit(ended)
  for (const about of [
    { ...payout, tenantId: other },
    { ...payout, id: 'po_unknown' },
    ended.step.payout,
  ])
    await expect(record(about, 'nwc_refused')).rejects.toThrow('that was applied')
  expect(await harness.sql(`select from quipu.network_call where id = 'nwc_refused'`)).toEqual([])
})

test('a call is recorded once', async () => {
  for (let n = 0; n < 2; n++) await record(payout, 'nwc_twice')
  const ref = { tenantId: payout.tenantId, payoutId: payout.id }
  const { items } = await harness.stores.networkCalls.list(ref, { limit: 10 })
  expect(items.map(({ id }) => id)).toEqual(['nwc_twice'])
})

test('yielding a claim of an unknown payout without calls is no error', async () => {
  const claim = { tenantId: payout.tenantId, payoutId: 'po_unknown', fencingToken: 7 }
  const given = { dueInSeconds: 0, raised: {}, calls: [] }
  expect(await harness.stores.payouts.yieldClaim(claim, given)).toBe(false)
})
