import { usdt } from '@quipu/core'
import { type ClaimYield, ownerClaim, type PayoutClaim, type ProcessingPayout } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

let clock = someInstant
const harness = useStoreHarness({ clockOverride: () => clock })
let tenantId: string
beforeAll(async () => {
  tenantId = await harness.newWallet(usdt(1_000n))
})
// Each test begins without payouts that wait for the network.
beforeEach(() => harness.sql('delete from quipu.payout_open'))

const after = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1000)
}

const newPayout = async (of = tenantId) =>
  harness.newPayout(await harness.newQuote(of, { source: usdt(1n), lifeSeconds: 300 }), { leaseSeconds: 100 })

type Called = ClaimYield['statusCall']
const unanswered = (probeInSeconds: number): Called => ({ answered: false, probeInSeconds })

/** Yields a claim after a status call; without a probe or a hint the payout is due in 1000 seconds. */
const yieldAfter = async (claim: PayoutClaim, statusCall?: Called) => {
  const given = { dueInSeconds: 1000, raised: {}, calls: [], ...(statusCall && { statusCall }) }
  expect(await harness.stores.payouts.yieldClaim(claim, given)).toBe(true)
}

/** A payout that its owner has yielded after this call. */
async function yielded(statusCall?: Called): Promise<ProcessingPayout> {
  const payout = await newPayout()
  await yieldAfter(ownerClaim(payout), statusCall)
  return payout
}

/** In how many seconds the payout is due, or its lease ends. */
async function dueIn({ id }: ProcessingPayout): Promise<number> {
  const [row] = await harness.sql('select due_at from quipu.payout_open where payout_id = $1', [id])
  const dueAt = row?.['due_at']
  if (!(dueAt instanceof Date)) throw new Error(`payout ${id} has no open claim`)
  return (dueAt.getTime() - clock.getTime()) / 1000
}

async function claimOf({ id }: ProcessingPayout) {
  await harness.stores.payouts.hint(id)
  const claimed = await harness.stores.payouts.claimDue(1_000, 100)
  const found = claimed.find(({ payout }) => payout.id === id)
  if (found === undefined) throw new Error(`payout ${id} is not due`)
  return found
}

test('one unanswered payout is the probe, whatever other payouts are due or leased', async () => {
  await yielded({ answered: true })
  await claimOf(await yielded())
  const probe = await yielded(unanswered(10))
  expect(await dueIn(probe)).toBe(10)
  expect(await dueIn(await yielded(unanswered(10)))).toBe(1000)
  expect(await dueIn(await yielded(unanswered(9)))).toBe(9) // the probe is due later
  after(5)
  expect(await dueIn(await yielded(unanswered(4)))).toBe(1000) // the probe is due then
})

test('a payout is the probe that is due later than its probe would be, and never a later one', async () => {
  const payout = await newPayout()
  await yieldAfter(ownerClaim(payout), unanswered(2000))
  expect(await dueIn(payout)).toBe(1000)
})

test('a leased probe stays the only one, and is the probe again', async () => {
  const probe = await yielded(unanswered(10))
  const { claim, ...found } = await claimOf(probe)
  expect(found.unanswered).toBe(1)
  expect(await dueIn(await yielded(unanswered(10)))).toBe(1000)
  await yieldAfter(claim, unanswered(20))
  expect(await dueIn(probe)).toBe(20)
  expect(await claimOf(probe)).toMatchObject({ unanswered: 2 })
})

test('of two calls without an answer at once one is the probe', async () => {
  // They are of two tenants, so that the wallets’ locks do not order them.
  const [first, second] = [await newPayout(), await newPayout(await harness.newWallet(usdt(1n)))]
  const yielding = await openTransaction(harness.stores.url)
  await yielding.sql(`select quipu.yield_payout($1, $2, 1, 1000, false, 10, null, '[]', array[2], null, $3)`, [
    tenantId,
    first.id,
    clock,
  ])
  const work = yieldAfter(ownerClaim(second), unanswered(10))
  const isWaiting = await doesWait(harness.sql, work)
  await yielding.commit()
  expect(isWaiting).toBe(true)
  await work
  expect([await dueIn(first), await dueIn(second)]).toEqual([10, 1000])
})

test('a hint of another payout neither makes this one due, nor is it used up', async () => {
  const [payout, hinted] = [await newPayout(), await newPayout()]
  await harness.stores.payouts.hint(hinted.id)
  await yieldAfter(ownerClaim(payout))
  expect(await dueIn(payout)).toBe(1000)
  await yieldAfter(ownerClaim(hinted))
  expect(await dueIn(hinted)).toBe(0)
})

test('an answer ends the wait for the network, and a yield without a call does not', async () => {
  const payout = await yielded(unanswered(1000))
  const { claim } = await claimOf(payout)
  await yieldAfter(claim)
  await harness.stores.payouts.catchUp(1_000)
  expect(await dueIn(payout)).toBe(2)
  after(2)
  const again = await claimOf(payout)
  expect(again.unanswered).toBe(1)
  await yieldAfter(again.claim, { answered: true })
  await harness.stores.payouts.catchUp(1_000)
  expect(await dueIn(payout)).toBe(1000)
  const answered = await claimOf(payout)
  expect(answered.unanswered).toBe(1)
  await yieldAfter(answered.claim, unanswered(1000))
  await harness.stores.payouts.catchUp(1_000)
  expect(await dueIn(payout)).toBe(2)
})
