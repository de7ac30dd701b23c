import { usdt } from '@quipu/core'
import { type ClaimYield, ownerClaim, type ProcessingPayout } from '@quipu/core/adapter'
import { someInstant } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'

let clock = someInstant
const harness = useStoreHarness({ clockOverride: () => clock })
let tenantId: string
beforeAll(async () => {
  tenantId = await harness.newWallet(usdt(1_000n))
})

const after = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1000)
}

const dueIn = (dueInSeconds: number): ClaimYield => ({ dueInSeconds, raised: {}, calls: [] })

const newQuote = () => harness.newQuote(tenantId, { source: usdt(1n), lifeSeconds: 300 })

/** A payout whose owner has a lease of this many seconds. */
const newPayout = async (leaseSeconds: number) => harness.newPayout(await newQuote(), { leaseSeconds })

/** Claims everything that is due, and returns the claims of these payouts. */
async function claim(...payouts: ProcessingPayout[]) {
  const ids = payouts.map(({ id }) => id)
  const claimed = await harness.stores.payouts.claimDue(1_000, 100)
  return claimed.filter(({ payout }) => ids.includes(payout.id))
}
const claimedIds = async (...payouts: ProcessingPayout[]) => (await claim(...payouts)).map(({ payout }) => payout.id)
const isOpen = async ({ id }: ProcessingPayout) =>
  (await harness.sql('select from quipu.payout_open where payout_id = $1', [id])).length > 0
const cancel = (payout: ProcessingPayout) => harness.settleCommit(payout, { type: 'cancelled' })

test('the longer lease of a batch holds when a shorter one ends', async () => {
  const accepts = [
    harness.acceptCommit(await newQuote(), { leaseSeconds: 10 }),
    harness.acceptCommit(await newQuote(), { leaseSeconds: 60 }),
  ]
  const results = await Promise.all(accepts.map((each) => harness.stores.payouts.commit(each)))
  expect(results).toEqual(['committed', 'committed'])
  const [short, long] = accepts.map(({ step }) => step.payout) as [ProcessingPayout, ProcessingPayout]
  after(11)
  expect(await claimedIds(short, long)).toEqual([short.id])
  await harness.stores.payouts.hint(long.id)
  expect(await claimedIds(long)).toEqual([])
  expect(await harness.stores.payouts.yieldClaim(ownerClaim(long), dueIn(50))).toBe(true)
  expect(await claimedIds(long)).toEqual([long.id])
})

test('a hint in a first lease is kept for an hour', async () => {
  const payouts = [await newPayout(10_000), await newPayout(10_000)]
  for (const { id } of payouts) await harness.stores.payouts.hint(id)
  const kept = () =>
    harness.sql('select from quipu.network_hint where payout_id = any ($1)', [payouts.map(({ id }) => id)])
  after(3600)
  await claim()
  expect(await kept()).toHaveLength(2)
  after(0.001)
  await claim()
  expect(await kept()).toHaveLength(0)
})

test.each(['claim', 'renew'] as const)(
  'a %s that meets a settlement waits for it, and finds the payout ended',
  async (kind) => {
    const payout = await newPayout(10)
    after(11)
    const settling = await openTransaction(harness.stores.url)
    expect(await inOneBatch(settling.sql, [cancel(payout)])).toEqual(['committed'])
    const work = kind === 'claim' ? claimedIds(payout) : harness.stores.payouts.renew(ownerClaim(payout), 100)
    const isWaiting = await doesWait(harness.sql, work)
    await settling.commit()
    expect(isWaiting).toBe(true)
    expect(await work).toEqual(kind === 'claim' ? [] : false)
    expect(await isOpen(payout)).toBe(false)
  },
)
