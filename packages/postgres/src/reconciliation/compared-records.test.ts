import { bob, type Payout, usdt } from '@quipu/core'
import type { ProcessingPayout } from '@quipu/core/adapter'
import { laterInstant, paidAnswer } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

const payout = async (tenantId: string): Promise<ProcessingPayout> =>
  harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n), target: bob(5_00n) }))

async function paid(tenantId: string, at: Date): Promise<Payout> {
  const processing = await payout(tenantId)
  const write = harness.settleCommit(processing, paidAnswer(processing), { at })
  expect(await harness.stores.payouts.commit(write)).toBe('committed')
  return write.step.payout
}

test('completed payments of each instant of a period are read once, whatever the steps', async () => {
  const startMs = laterInstant.getTime()
  const tenantId = await harness.newWallet(usdt(100n))
  const all: (readonly [ms: number, id: string])[] = []
  // The period is read in steps of one minute, two, four and so on.
  for (const seconds of [0, 59.999, 60, 60.001, 179.999, 180, 7_199.999, 7_200]) {
    const ms = startMs + seconds * 1_000
    all.push([ms, (await paid(tenantId, new Date(ms))).id])
  }
  for (const [from, to] of [
    [startMs, startMs + 7_200_000],
    [startMs, startMs + 1],
    [startMs + 60_000, startMs + 180_000],
    [startMs + 1, startMs + 60_000],
  ] as const) {
    const found: string[] = []
    const period = { from: new Date(from), to: new Date(to) }
    for await (const page of harness.stores.reconciliations.completedPayments(period))
      found.push(...page.map(({ payoutId }) => payoutId))
    expect(found).toEqual(all.filter(([ms]) => ms >= from && ms < to).map(([, id]) => id))
  }
})
