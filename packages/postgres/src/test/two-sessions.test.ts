import { usdt } from '@quipu/core'
import {
  type AcceptCommit,
  buildersOfAnotherTenant,
  commitSend,
  credentialOf,
  depositBuilders,
  laterInstant,
  newMovement,
  settleDepositCommit,
} from '@quipu/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { postgresStores, type PostgresStores } from '../stores.ts'
import { openTransaction, untilWaiting } from './other-session.fixture.ts'
import { openStoreHarness, type StoreHarness } from './stores.fixture.ts'

// A batch writer makes one transaction of concurrent commits. Locks are contended by two stores: each commits by a
// session of its own, and both wait for a lock that a third session holds before they decide.

let harness: StoreHarness
let other: PostgresStores
beforeAll(async () => {
  harness = await openStoreHarness()
  other = postgresStores({ url: harness.stores.processUrl })
})
afterAll(async () => {
  await other.close()
  await harness.close()
})

/** PostgreSQL makes the event of the row. */
const noEvent = () => {
  throw new Error('called')
}

/** Runs both, which wait for the lock of this statement, and then decide one after the other. */
async function contend<T>(
  lock: readonly [statement: string, ...values: unknown[]],
  work: readonly [() => Promise<T>, () => Promise<T>],
): Promise<readonly PromiseSettledResult<T>[]> {
  const holder = await openTransaction(harness.stores.url)
  const [statement, ...values] = lock
  await holder.sql(statement, values)
  const running = work.map((each) => each())
  const settled = Promise.allSettled(running)
  await untilWaiting(harness.sql, 2, ...running)
  await holder.commit()
  return settled
}

const wallet = 'select from quipu.wallet where tenant_id = $1 for update'

let [tenantId, limited] = ['', '']
beforeEach(async () => {
  tenantId = await harness.newWallet(usdt(15n))
  limited = await harness.newWallet(usdt(100n), { dailyLimits: { amount: null, count: 1 } })
})

const acceptAt = async (of: string, transactionId?: string): Promise<AcceptCommit> =>
  harness.acceptCommit(await harness.newQuote(of, { source: usdt(10n) }), {
    ...(transactionId !== undefined && { transactionId }),
  })

test.each<[string, string, () => Promise<readonly [AcceptCommit, AcceptCommit]>]>([
  [
    'one quote',
    'quote_used',
    async () => {
      const quote = await harness.newQuote(tenantId, { source: usdt(1n) })
      return [harness.acceptCommit(quote), harness.acceptCommit(quote)]
    },
  ],
  ['one balance', 'insufficient_balance', async () => [await acceptAt(tenantId), await acceptAt(tenantId)]],
  ['one transaction_id', 'stale', async () => [await acceptAt(tenantId, 'x'), await acceptAt(tenantId, 'x')]],
  ['one daily limit', 'daily_limit_exceeded', async () => [await acceptAt(limited), await acceptAt(limited)]],
])('of two sessions that want %s one gets it', async (_, refused, writesOf) => {
  const [one, two] = await writesOf()
  const lock = [wallet, one.step.payout.tenantId] as const
  const results = await contend(lock, [() => harness.stores.payouts.commit(one), () => other.payouts.commit(two)])
  const values = results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  expect(values.toSorted()).toEqual(['committed', refused].toSorted())
  await harness.expectBalanced(tenantId)
})

test('of two sessions that end one payout one does', async () => {
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }))
  const release = () => harness.settleCommit(payout, { type: 'refused_payment' })
  const results = await contend(
    [wallet, tenantId],
    [() => harness.stores.payouts.commit(release()), () => other.payouts.commit(release())],
  )
  const values = results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  expect(values.toSorted()).toEqual(['committed', 'stale'])
  await harness.expectBalanced(tenantId)
})

test('of two sessions that end two payouts of one wallet each finds what the other did', async () => {
  const payouts = []
  for (const source of [10n, 5n]) {
    const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(source) }))
    const at = new Date(laterInstant.getTime() + Number(source)) // Else the log's unique index stops the second.
    payouts.push(harness.settleCommit(payout, { type: 'refused_payment' }, { at }))
  }
  const [one, two] = payouts as [(typeof payouts)[number], (typeof payouts)[number]]
  const commits = [() => harness.stores.payouts.commit(one), () => other.payouts.commit(two)] as const
  const results = await contend([wallet, tenantId], commits)
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(15n), held: usdt(0n) })
  await harness.expectBalanced(tenantId)
})

test('two sessions do not credit more than the common limit of unverified deposits', async () => {
  const first = await depositBuilders(harness.world)
  const second = await buildersOfAnotherTenant(harness.world, first)
  for (const { due } of [first, second]) await due({ value: 6_000_000n })
  const unverifiedLimits = { perTenant: usdt(10_000_000n), inAll: usdt(10_000_000n) }
  const [one, two] = (await harness.stores.deposits.claimDue(10, 100)).map((claimed) => ({
    ...settleDepositCommit(harness.world, claimed),
    unverifiedLimits,
  }))
  if (!one || !two) throw new Error('both deposits are due')
  const results = await contend(
    ['lock table quipu.unverified_credit_lock in exclusive mode'],
    [() => harness.stores.deposits.commit(one), () => other.deposits.commit(two)],
  )
  const values = results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  expect(values.toSorted()).toEqual(['above_unverified_limit', 'committed'])
})

test('two sessions do not record one movement of the operator’s money twice', async () => {
  const movement = newMovement(harness.world)
  const lock = `select pg_advisory_xact_lock(hashtextextended('quipu.treasury', 0))`
  const record = (treasury: PostgresStores['treasury'], id: string) => () =>
    treasury.record({ ...movement, id }, new Date(), credentialOf('ana'))
  const ids = [harness.ids.next('trm', new Date()), harness.ids.next('trm', new Date())] as const
  const results = await contend([lock], [record(harness.stores.treasury, ids[0]), record(other.treasury, ids[1])])
  const values = results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  expect(values.toSorted()).toEqual(['committed', 'recorded'])
})

test('two sessions do not send more than the shared limit of the faucet', async () => {
  const [one, two] = [await harness.newTenant(), await harness.newTenant()]
  const lock = `select pg_advisory_xact_lock(hashtextextended('quipu.faucet', 0))`
  const limits = { shared: usdt(30_000_000n) } // Each sends 25 USDT.
  const results = await contend(
    [lock],
    [
      () => commitSend(harness.world, one.id, { limits }),
      () => commitSend({ ...harness.world, faucet: other.faucet }, two.id, { limits }),
    ],
  )
  const committed = results.filter((each) => each.status === 'fulfilled' && each.value.type === 'committed')
  expect(committed).toHaveLength(1)
})

test('two sessions record one crossing of a threshold', async () => {
  await harness.stores.wallets.setLowBalanceThreshold(tenantId, usdt(15n), noEvent)
  await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n) }))
  const record = (wallets: PostgresStores['wallets']) => () => wallets.recordCrossings(10, noEvent)
  const results = await contend([wallet, tenantId], [record(harness.stores.wallets), record(other.wallets)])
  const values = results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  expect(values.toSorted()).toEqual([0, 1])
  const { items } = await harness.stores.events.list(tenantId, { type: 'wallet.balance_low', limit: 9 })
  expect(items).toHaveLength(1)
})
