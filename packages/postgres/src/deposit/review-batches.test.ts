import { usdt } from '@quipu/core'
import type { DepositInReview, EventRecord, NewEvent } from '@quipu/core/adapter'
import {
  asRecorded,
  buildersOfAnotherTenant,
  closeReviewCommit,
  creditDepositCommit,
  type DepositBuilders,
  depositBuilders,
  eventsAbout,
} from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { sendBatch, withoutReadBack } from '../test/send-batch.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { newEndpoint } from '../test/deliveries.fixture.ts'
import { resolveReviewsProtocol, type ReviewResolution } from './resolve-reviews.ts'

const harness = useStoreHarness()
let deposits: DepositBuilders
beforeAll(async () => {
  deposits = await depositBuilders(harness.world)
})

/** Resolves reviews in one batch, without the queue. */
const inOneBatch = (writes: readonly ReviewResolution[]) =>
  sendBatch(harness.sql, resolveReviewsProtocol(withoutReadBack), writes)

/** Deposits in review with these amounts, and the commits that credit them. */
async function reviews(of: DepositBuilders, ...values: bigint[]) {
  const reviewed: DepositInReview[] = []
  for (const value of values) reviewed.push(await of.inReview({ value }))
  return reviewed
}

const credit = (deposit: DepositInReview, at?: Date) => creditDepositCommit(harness.world, deposit, at)

const balance = async ({ tenantId }: DepositBuilders) => (await harness.stores.wallets.find(tenantId))?.available

/** Expects that the newest event about its deposit is this one, byte for byte. */
async function expectStored(event: EventRecord | NewEvent): Promise<void> {
  const { id, tenantId, subjectId, body } = 'body' in event ? event : asRecorded(event)
  const stored = (await eventsAbout(harness.stores, tenantId, subjectId)).at(-1)
  expect({ id: stored?.id, body: [...(stored?.body ?? [])] }).toEqual({ id, body: [...body] })
}

/** The newest audit entry about the deposit afterwards. */
const audited = async ({ id: subject }: DepositInReview) =>
  (await harness.stores.audit.list({ subject, limit: 1 }))[0]?.after

test('each credit of a batch has its own event, amount and audit entry', async () => {
  const other = await buildersOfAnotherTenant(harness.world, deposits)
  const mine = await reviews(deposits, 5_000_000n, 123_456_789_000_001n, 6_000_000n)
  const [theirs] = await reviews(other, 11_000_000n)
  const credits = await Promise.all([...mine, theirs!].map((each) => credit(each)))
  const close = await closeReviewCommit(harness.world, mine[2]!)
  const batch = [credits[0]!, close, credits[1]!, credits[3]!, credits[2]!]
  expect(await inOneBatch(batch)).toEqual(['committed', 'committed', 'committed', 'committed', 'stale'])
  for (const n of [0, 1, 3]) await expectStored(credits[n]!.step.event)
  expect(await audited(mine[1]!)).toMatchObject({ amount: '123456789.000001' })
  expect(await audited(theirs!)).toMatchObject({ amount: '11.000000' })
  expect(await balance(deposits)).toEqual(usdt(123_456_794_000_001n))
  expect(await balance(other)).toEqual(usdt(11_000_000n))
  for (const { tenantId } of [deposits, other]) await harness.expectBalanced(tenantId)
})

test('a resolution in another tenant’s name is stale', async () => {
  const other = await buildersOfAnotherTenant(harness.world, deposits)
  const [deposit] = await reviews(deposits, 5_000_000n)
  for (const write of [await credit(deposit!), await closeReviewCommit(harness.world, deposit!)]) {
    const { step } = write
    const stolen = { ...step, deposit: { ...step.deposit, tenantId: other.tenantId } }
    expect(await inOneBatch([{ ...write, step: stolen } as ReviewResolution])).toEqual(['stale'])
  }
  expect(await balance(other)).toEqual(usdt(0n))
})

test('a credit and a close are signaled to the tenant’s endpoints', async () => {
  const of = await buildersOfAnotherTenant(harness.world, deposits)
  const [credited, closed] = await reviews(of, 5_000_000n, 6_000_000n)
  await newEndpoint(harness, of.tenantId)
  const signals = () =>
    harness.sql('select tenant_ids from quipu.delivery_signal where $1 = any (tenant_ids)', [of.tenantId])
  expect(await inOneBatch([await closeReviewCommit(harness.world, closed!)])).toEqual(['committed'])
  const signal = { tenant_ids: [of.tenantId] }
  expect(await signals()).toEqual([signal])
  expect(await inOneBatch([await credit(credited!)])).toEqual(['committed'])
  expect(await signals()).toEqual([signal, signal])
})
