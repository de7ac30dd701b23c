import { usdt } from '@quipu/core'
import {
  approveAdjustment,
  buildersOfAnotherTenant,
  type DepositBuilders,
  depositBuilders,
  newObservedTransfer,
  settleDepositCommit,
} from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
let scenes: readonly DepositBuilders[]
beforeAll(async () => {
  const first = await depositBuilders(harness.world)
  const others = await Promise.all(Array.from({ length: 6 }, () => buildersOfAnotherTenant(harness.world, first)))
  scenes = [first, ...others].toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))
})

/** Scans the next block of a view, with a transfer to each of these tenants in this order. */
const scan = (view: 'head' | 'solid', order: readonly DepositBuilders[]) => {
  const observedTransfers = order.map(({ topUp }) => newObservedTransfer(harness.world, topUp))
  return order[0]?.[view].scan({ observedTransfers })
}

/** An approved adjustment for each tenant. */
const approveAll = (order: readonly DepositBuilders[]) =>
  Promise.all(
    order.map(async ({ tenantId }) => {
      const id = harness.ids.uuid(new Date())
      const funds = { id, tenantId, direction: 'in', reason: 'test', actor: 'ana' } as const
      const adjustment = { ...funds, amount: usdt(9n) }
      await approveAdjustment(harness.stores, adjustment)
      return adjustment
    }),
  )

test('scans, settlements and adjustments lock wallets in ascending order, whatever the order of their items', async () => {
  const [middle, reversed] = [scenes[3], scenes.toReversed()]
  await scan('solid', scenes)
  const claimed = await harness.stores.deposits.claimDue(100, 1_000)
  const writes = claimed.map((each) => settleDepositCommit(harness.world, each))
  writes.sort((a, b) => (a.claim.tenantId < b.claim.tenantId ? 1 : -1))

  const adjustments = await approveAll(reversed)
  // Each has locked the wallets before the middle one, and waits for it or for another waiting session.
  const holder = await openTransaction(harness.stores.url)
  await holder.sql('select from quipu.wallet where tenant_id = $1 for update', [middle?.tenantId])
  const work = Promise.all([
    scan('head', reversed),
    scan('solid', scenes),
    Promise.all(adjustments.map(harness.stores.wallets.adjust)),
    Promise.all(writes.map(harness.stores.deposits.commit)),
  ])
  await untilWaiting(harness.sql, 4, work)
  await holder.commit()

  expect((await work)[3]).toEqual(scenes.map(() => 'committed'))
  const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
  expect(await harness.sql(deadlocks)).toEqual([{ deadlocks: 0 }])
  for (const { tenantId } of scenes) await harness.expectBalanced(tenantId)
})
