import { usdt } from '@quipu/core'
import type { EventRecord, NewEvent } from '@quipu/core/adapter'
import {
  asRecorded,
  buildersOfAnotherTenant,
  type DepositBuilders,
  depositBuilders,
  eventsAbout,
  laterInstant,
  type SettleDepositCommit,
  settleDepositCommit,
} from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { sendBatch, withoutReadBack } from '../test/send-batch.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { newEndpoint } from '../test/deliveries.fixture.ts'
import { settleDepositsProtocol } from './settle-deposits.ts'

const harness = useStoreHarness()
let deposits: DepositBuilders
beforeAll(async () => {
  deposits = await depositBuilders(harness.world)
})

/** Settles deposits in one batch, without the queue. */
const inOneBatch = (writes: readonly SettleDepositCommit[]) =>
  sendBatch(harness.sql, settleDepositsProtocol(withoutReadBack), writes)

/** Expects that the newest event about its deposit is this one, byte for byte. */
async function expectStored(event: EventRecord | NewEvent): Promise<void> {
  const { id, tenantId, subjectId, body } = 'body' in event ? event : asRecorded(event)
  const stored = (await eventsAbout(harness.stores, tenantId, subjectId)).at(-1)
  expect({ id: stored?.id, body: [...(stored?.body ?? [])] }).toEqual({ id, body: [...body] })
}

test('each deposit of a batch has its own event, amount and result', async () => {
  const other = await buildersOfAnotherTenant(harness.world, deposits)
  await deposits.due({ value: 5_000_000n }, { value: 7_000_000n })
  await other.due({ value: 11_000_000n })
  const claimed = await harness.stores.deposits.claimDue(3, 100)
  const writes = claimed.map((each) => settleDepositCommit(harness.world, each))
  expect(await inOneBatch([...writes, ...writes.slice(0, 1)])).toEqual(['committed', 'committed', 'committed', 'stale'])
  for (const { step } of writes) await expectStored(step.event)
  for (const [{ tenantId }, available] of [
    [deposits, 12_000_000n],
    [other, 11_000_000n],
  ] as const) {
    expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(available) })
    await harness.expectBalanced(tenantId)
  }
})

test('an unverified credit waits for one of another tenant that is not committed, and counts it', async () => {
  const other = await buildersOfAnotherTenant(harness.world, deposits)
  const writes: SettleDepositCommit[] = []
  for (const each of [deposits, other]) {
    await each.due({ value: 6_000_000n })
    const limits = { perTenant: usdt(10_000_000n), inAll: usdt(10_000_000n) }
    writes.push({ ...settleDepositCommit(harness.world, await each.claimOne()), unverifiedLimits: limits })
  }
  const [first, second] = writes as [SettleDepositCommit, SettleDepositCommit]
  const holder = await openTransaction(harness.stores.url)
  expect(await sendBatch(holder.sql, settleDepositsProtocol(withoutReadBack), [first])).toEqual(['committed'])
  const waiting = harness.stores.deposits.commit(second)
  await untilWaiting(harness.sql, 1, waiting)
  await holder.commit()
  expect(await waiting).toBe('above_unverified_limit')
})

test('an unverified credit counts from the instant at which it has the wallet', async () => {
  await deposits.due({ value: 1_000_000n })
  const unverifiedLimits = { perTenant: usdt(1_000_000_000n), inAll: usdt(1_000_000_000n) }
  const write = { ...settleDepositCommit(harness.world, await deposits.claimOne()), unverifiedLimits }
  const holder = await openTransaction(harness.stores.url)
  await holder.sql('select from quipu.wallet where tenant_id = $1 for update', [deposits.tenantId])
  const waiting = harness.stores.deposits.commit(write)
  await untilWaiting(harness.sql, 1, waiting)
  const [released] = await holder.sql(`select date_trunc('milliseconds', clock_timestamp())::text as at`)
  await holder.commit()
  expect(await waiting).toBe('committed')
  const counted = 'select unverified_at >= $1::timestamptz as is_later from quipu.deposit where id = $2'
  const rows = await harness.sql(counted, [(released as { at: string }).at, write.claim.depositId])
  expect(rows).toEqual([{ is_later: true }])
})

test('a settlement in another tenant’s name is stale', async () => {
  const other = await buildersOfAnotherTenant(harness.world, deposits)
  await deposits.due({ value: 5_000_000n })
  const write = settleDepositCommit(harness.world, await deposits.claimOne())
  const stolen = { ...write, claim: { ...write.claim, tenantId: other.tenantId } }
  expect(await inOneBatch([stolen])).toEqual(['stale'])
  expect(await harness.stores.wallets.find(other.tenantId)).toMatchObject({ available: usdt(0n) })
  expect(await inOneBatch([write])).toEqual(['committed'])
})

test('each deposit of a batch that is earlier than the log is redated, and no other', async () => {
  const other = await buildersOfAnotherTenant(harness.world, deposits)
  await deposits.due({ value: 5_000_000n }, { value: 6_000_000n }, { value: 7_000_000n })
  const claimed = await harness.stores.deposits.claimDue(3, 100)
  const after = new Date(laterInstant.getTime() + 5000)
  const [last, ...earlier] = claimed.map((each, n) =>
    settleDepositCommit(harness.world, each, {}, n === 0 ? after : laterInstant),
  )
  expect(await inOneBatch(last ? [last] : [])).toEqual(['committed'])
  const redated = { redatedTo: after }
  await deposits.due({ value: 9_999n })
  const dust = settleDepositCommit(harness.world, await deposits.claimOne())
  await other.due({ value: 8_000_000n })
  const write = settleDepositCommit(harness.world, await other.claimOne())
  expect(await inOneBatch([write, ...earlier, dust])).toEqual(['committed', redated, redated, redated])
  for (const { step } of earlier) await expectStored(step.event.recordedOn(after))
})

test('a batch is signaled to the endpoints of its tenants, unless all of it is stale', async () => {
  const [listening, silent] = [
    await buildersOfAnotherTenant(harness.world, deposits),
    await buildersOfAnotherTenant(harness.world, deposits),
  ]
  await newEndpoint(harness, listening.tenantId)
  /** The signals that the batch leaves. */
  const signaled = async (writes: readonly SettleDepositCommit[]) => {
    await harness.sql('delete from quipu.delivery_signal')
    await inOneBatch(writes)
    return harness.sql('select tenant_ids from quipu.delivery_signal')
  }
  const next = async (of: DepositBuilders) => {
    await of.due()
    return settleDepositCommit(harness.world, await of.claimOne())
  }
  const batch = [await next(listening), await next(silent), await next(listening)]
  const once = [{ tenant_ids: [listening.tenantId] }]
  expect(await signaled(batch)).toEqual(once)
  expect(await signaled(batch)).toEqual([])
  expect(await signaled([...batch, await next(listening)])).toEqual(once)
})
