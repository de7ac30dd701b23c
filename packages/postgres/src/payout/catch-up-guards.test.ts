import { usdt } from '@quipu/core'
import { ownerClaim, type PayoutClaim, type ProcessingPayout } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

let clock = someInstant
const harness = useStoreHarness({ clockOverride: () => clock })
let tenantId: string
beforeAll(async () => {
  tenantId = await harness.newWallet(usdt(1_000n))
})

const after = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1000)
}

/** Yields a claim after a status call, due in 1000 seconds without a probe. */
const yieldAfterCall = ({ payoutId, ...claim }: PayoutClaim, answered: boolean) =>
  harness.stores.payouts.yieldClaim(
    { payoutId, ...claim },
    {
      dueInSeconds: 1000,
      statusCall: answered ? { answered } : { answered, probeInSeconds: 1000 },
      raised: {},
      calls: [],
    },
  )

/** A payout whose status call the network answered or not. */
async function newPayout(answered: boolean): Promise<ProcessingPayout> {
  const quote = await harness.newQuote(tenantId, { source: usdt(1n), lifeSeconds: 300 })
  const payout = await harness.newPayout(quote)
  expect(await yieldAfterCall(ownerClaim(payout), answered)).toBe(true)
  return payout
}

/** In how many seconds the payout is due, or its lease ends. */
async function dueIn({ id }: ProcessingPayout): Promise<number> {
  const [row] = await harness.sql('select due_at from quipu.payout_open where payout_id = $1', [id])
  const dueAt = row?.['due_at']
  if (!(dueAt instanceof Date)) throw new Error(`payout ${id} has no open claim`)
  return (dueAt.getTime() - clock.getTime()) / 1000
}

const catchUp = (perSecond: number) => harness.stores.payouts.catchUp(perSecond)

/** Claims everything that is due, and returns the claim of this payout. */
async function claimOf({ id }: ProcessingPayout): Promise<PayoutClaim> {
  const claimed = await harness.stores.payouts.claimDue(1_000, 100)
  const claim = claimed.find(({ payout }) => payout.id === id)?.claim
  if (claim === undefined) throw new Error(`payout ${id} is not due`)
  return claim
}

test('unanswered payouts are due one after the other, the first at once, and later ones after them', async () => {
  const [first, second] = [await newPayout(false), await newPayout(false)]
  after(1)
  const third = await newPayout(false)
  after(10)
  await catchUp(0.5)
  expect((await Promise.all([first, second].map(dueIn))).toSorted()).toEqual([0, 2])
  expect(await dueIn(third)).toBe(4)
  const fourth = await newPayout(false)
  after(3)
  await catchUp(0.5)
  expect(await dueIn(fourth)).toBe(3)
  expect(await dueIn(third)).toBe(1)
})

test('neither an answered nor a leased payout is brought forward', async () => {
  const [answered, leased, unanswered] = [await newPayout(true), await newPayout(false), await newPayout(false)]
  await harness.stores.payouts.hint(leased.id)
  await claimOf(leased)
  after(10)
  await catchUp(1_000)
  expect(await dueIn(answered)).toBe(990)
  expect(await dueIn(leased)).toBe(90)
  expect(await dueIn(unanswered)).toBeLessThan(1)
})

test('the pause doubles up to a minute each time that the network falls silent again', async () => {
  const payout = await newPayout(false)
  for (const pause of [2, 4, 8, 16, 32, 60, 60]) {
    await catchUp(1_000)
    await catchUp(1_000)
    expect(await dueIn(payout)).toBe(pause)
    after(pause)
    expect(await yieldAfterCall(await claimOf(payout), false)).toBe(true)
  }
})

test('a payout whose row another transaction holds is left out, and the others do not wait for it', async () => {
  const [locked, free] = [await newPayout(false), await newPayout(false)]
  after(10)
  const holding = await openTransaction(harness.stores.url)
  await holding.sql('select from quipu.payout_open where payout_id = $1 for update', [locked.id])
  const work = catchUp(1_000)
  const isWaiting = await doesWait(harness.sql, work)
  await holding.commit()
  await work
  expect(isWaiting).toBe(false)
  expect(await dueIn(locked)).toBe(990)
  expect(await dueIn(free)).toBeLessThan(1)
})
