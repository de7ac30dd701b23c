import { usdt } from '@quipu/core'
import { type ClaimedPayout, ownerClaim } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let clock = someInstant
let harness: StoreHarness
beforeEach(async () => {
  harness = await openStoreHarness({ clockOverride: () => clock })
})
afterEach(() => harness.close())

const leaseSeconds = 100

/** Claims what is due after all leases have expired. */
async function claimLater(): Promise<readonly ClaimedPayout[]> {
  clock = new Date(clock.getTime() + 10 * leaseSeconds * 1000)
  return harness.stores.payouts.claimDue(10, leaseSeconds)
}

test.each([
  ['renewed', 'quipu.renew_payout($1, $2, $3, 100, false, $4)'],
  ['yielded', `quipu.yield_payout($1, $2, $3, 100, true, null, null, null, '{60}', null, $4)`],
])('a payout that is %s meanwhile is not claimed', async (_, call) => {
  const tenantId = await harness.newWallet(usdt(10n))
  const { id } = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }), { leaseSeconds })
  const [held] = await claimLater()
  clock = new Date(clock.getTime() + 10 * leaseSeconds * 1000)
  const other = await openTransaction(harness.stores.url)
  const values = [tenantId, id, held?.claim.fencingToken, clock]
  expect(await other.sql(`select ${call} as is_newest`, values)).toEqual([{ is_newest: true }])
  const claiming = harness.stores.payouts.claimDue(10, leaseSeconds)
  await untilWaiting(harness.sql, 1, claiming)
  await other.commit()
  expect(await claiming).toEqual([])
  expect((await claimLater()).map(({ payout }) => payout.id)).toEqual([id])
})

test('a stale yield does not take the hint of the newest claim', async () => {
  const { payouts } = harness.stores
  const tenantId = await harness.newWallet(usdt(20n))
  const quotes = [{ source: usdt(10n) }, { source: usdt(10n) }]
  const [payout, other] = await Promise.all(
    quotes.map(async (each) => harness.newPayout(await harness.newQuote(tenantId, each), { leaseSeconds })),
  )
  if (!payout || !other) throw new Error('two payouts are missing')
  // The claim of its owner has the token of the stale yield.
  await payouts.renew(ownerClaim(other), 80_000)
  await payouts.hint(payout.id)
  const [held] = await claimLater()
  const left = { dueInSeconds: 1_000, raised: {}, calls: [] }
  expect(await payouts.yieldClaim(ownerClaim(payout), left)).toBe(false)
  expect(held && (await payouts.yieldClaim(held.claim, left))).toBe(true)
  const due = await payouts.claimDue(10, leaseSeconds)
  expect(due.map(({ claim }) => claim.fencingToken)).toEqual([3])
})
