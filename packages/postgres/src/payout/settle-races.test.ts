import { usdt } from '@quipu/core'
import { type ClaimedPayout, ownerClaim } from '@quipu/core/adapter'
import { paidAnswer, someInstant } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

let clock = someInstant
const harness = useStoreHarness({ clockOverride: () => clock })

const leaseSeconds = 100

async function newPayout(ofTenant?: string) {
  const tenantId = ofTenant ?? (await harness.newWallet(usdt(20n)))
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  return harness.newPayout(quote, { leaseSeconds })
}

/** The payouts that are due after all leases have expired. */
async function claimLater(): Promise<readonly ClaimedPayout[]> {
  clock = new Date(clock.getTime() + 10 * leaseSeconds * 1000)
  return harness.stores.payouts.claimDue(10, leaseSeconds)
}

async function claimedPayout(): Promise<ClaimedPayout> {
  await newPayout()
  const [claimed] = await claimLater()
  if (!claimed) throw new Error('no payout is due')
  return claimed
}

const settle = ({ payout, claim }: ClaimedPayout): Promise<unknown> =>
  harness.stores.payouts.commit(harness.settleCommit(payout, paidAnswer(payout), { claim }))

test.each([
  ['a hint', 'quipu.hint_payout($1, now())', ({ payout }: ClaimedPayout) => [payout.id]],
  [
    'a renewal',
    'quipu.renew_payout($2, $1, $3, 60, false, now())',
    ({ payout, claim }: ClaimedPayout) => [payout.id, payout.tenantId, claim.fencingToken],
  ],
])('a settlement ends the claim of a payout, also when %s changes it meanwhile', async (_, call, valuesOf) => {
  const claimed = await claimedPayout()
  const other = await openTransaction(harness.stores.url)
  await other.sql(`select ${call}`, valuesOf(claimed))
  const settling = settle(claimed)
  await untilWaiting(harness.sql, 1, settling)
  await other.commit()
  expect(await settling).toBe('committed')
  expect(await harness.sql('select from quipu.payout_open')).toEqual([])
  expect(await claimLater()).toEqual([])
})

test('a claim that is left of a payout that has ended is deleted, and the others are claimed', async () => {
  const claimed = await claimedPayout()
  const [left] = await harness.sql('select to_jsonb(o) as row from quipu.payout_open o')
  await settle(claimed)
  const held = await newPayout(claimed.payout.tenantId)
  await harness.stores.payouts.renew(ownerClaim(held), 80_000)
  const { id } = await newPayout()
  await harness.sql('insert into quipu.payout_open select * from jsonb_populate_record(null::quipu.payout_open, $1)', [
    left?.['row'],
  ])
  expect((await claimLater()).map(({ payout }) => payout.id)).toEqual([id])
  expect(await harness.sql('select payout_id from quipu.payout_open order by 1')).toEqual([
    { payout_id: held.id },
    { payout_id: id },
  ])
})
