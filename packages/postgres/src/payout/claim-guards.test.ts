import { usdt } from '@quipu/core'
import { type ClaimYield, ownerClaim, type ProcessingPayout } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

let clock = someInstant
const harness = useStoreHarness({ clockOverride: () => clock })

const leaseSeconds = 100

const after = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1000)
}

const dueIn = (dueInSeconds: number): ClaimYield => ({ dueInSeconds, raised: {}, calls: [] })

/** Payouts in `processing` of one tenant, whose owners hold their leases. */
async function owned(count: number): Promise<ProcessingPayout[]> {
  const tenantId = await harness.newWallet(usdt(100n))
  const payouts = []
  for (let n = 0; n < count; n++) {
    const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
    payouts.push(await harness.newPayout(quote, { leaseSeconds }))
  }
  return payouts
}

async function ownedPair(): Promise<readonly [ProcessingPayout, ProcessingPayout]> {
  return (await owned(2)) as [ProcessingPayout, ProcessingPayout]
}

const renew = (payout: ProcessingPayout) => harness.stores.payouts.renew(ownerClaim(payout), leaseSeconds)
const yieldFor = (payout: ProcessingPayout, seconds: number) =>
  harness.stores.payouts.yieldClaim(ownerClaim(payout), dueIn(seconds))
const hint = ({ id }: ProcessingPayout) => harness.stores.payouts.hint(id)
/** Claims everything that is due, and returns the claims of these payouts. */
async function claim(payouts: readonly ProcessingPayout[]) {
  const ids = payouts.map(({ id }) => id)
  const claimed = await harness.stores.payouts.claimDue(1_000, leaseSeconds)
  return claimed.filter(({ payout }) => ids.includes(payout.id))
}
const claimedIds = async (...payouts: ProcessingPayout[]) => (await claim(payouts)).map(({ payout }) => payout.id)
test('a renewal extends the lease of its payout only, whatever else the tenant has in processing', async () => {
  const [payout, other] = await ownedPair()
  expect(await renew(other)).toBe(true)
  after(90)
  expect(await renew(payout)).toBe(true)
  after(20)
  expect(await claimedIds(payout, other)).toEqual([other.id])
})

test('a mark that is missing proves nothing on another start of the server, or of a restored database', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  const write = { ...harness.acceptCommit(quote, { leaseSeconds }), marksOrder: true } as const
  expect(await harness.stores.payouts.commit(write)).toBe('committed')
  const markOf = async () => {
    after(leaseSeconds + 1)
    return (await claim([write.step.payout]))[0]?.isOrdered
  }
  expect(await markOf()).toBe(false)
  for (const [lost, found] of [
    ['began_at = clock_timestamp()', `began_at = '-infinity'`],
    [`server_started = server_started - interval '1 s'`, 'server_started = pg_postmaster_start_time()'],
    [
      `halted_at = now(), halt_reason = 'declared', halt_detail = ''`,
      'halted_at = null, halt_reason = null, halt_detail = null',
    ],
  ]) {
    await harness.sql(`update quipu.lineage set ${lost}`)
    expect(await markOf()).toBe(true)
    await harness.sql(`update quipu.lineage set ${found}`)
    expect(await markOf()).toBe(false)
  }
})

test('a hint makes only its payout due', async () => {
  const [payout, other] = await ownedPair()
  for (const each of [payout, other]) expect(await yieldFor(each, 50)).toBe(true)
  await hint(payout)
  expect(await claimedIds(payout, other)).toEqual([payout.id])
})

test('a payout is accepted with a lease of a day at most', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const accept = async (seconds: number) =>
    harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n) }), { leaseSeconds: seconds })
  await expect(accept(86_400)).resolves.toMatchObject({ status: 'processing' })
  await expect(accept(86_401)).rejects.toThrow('payout_hold')
})
