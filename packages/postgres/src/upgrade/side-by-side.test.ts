import { createDatabase, databaseUrl, dropDatabase } from '@quipu/embedded-postgres'
import { testServerUrl } from '@quipu/embedded-postgres/testing'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { asProcess, insertTestOperators, makeProcessRole } from '../test/stores.fixture.ts'
import type { Order } from './paying.fixture.ts'
import { previousVersion } from './previous-version.fixture.ts'
import { openProgram, type Program } from './program.fixture.ts'

const previous = await previousVersion()

/** The two versions; the previous one has applied `begun` before the database was upgraded. */
type SideBySide = {
  readonly one: Program
  readonly other: Program
  readonly begun: Order
}

const orders = {
  'the previous version, then this one': true,
  'this version, then the previous one': false,
}

// The previous version creates each database, and works on it during the migration.
describe.each(Object.entries(orders))('side by side: %s', (_, isPreviousFirst) => {
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  const open: Program[] = []
  let sides: SideBySide
  beforeAll(async () => {
    const server = { url: await testServerUrl() }
    const url = databaseUrl(server.url, name)
    await createDatabase(server, name)
    await previous.migrate(url)
    await makeProcessRole(url)
    await insertTestOperators(url)
    const atWork = previous.openProgram(asProcess(url))
    open.push(atWork)
    const begun = await newOrder(atWork, await atWork.newTenant(atWork.price))
    expect(await atWork.apply(begun)).toBe('committed')
    await migrate(url)
    const ofToday = openProgram(asProcess(url))
    open.push(ofToday)
    const [one, other] = isPreviousFirst ? [atWork, ofToday] : [ofToday, atWork]
    sides = { one, other, begun }
  })
  afterAll(async () => {
    for (const program of open) await program.close()
    await dropDatabase({ url: await testServerUrl() }, name)
  })

  test('a payout that was applied before the upgrade is found, settled and not applied again', async () => {
    const { one, other, begun } = sides
    const found = await one.find(begun)
    expect(found).toMatchObject({ status: 'processing', quoteStatus: 'used' })
    expect(await other.find(begun)).toEqual(found)
    expect(await one.apply(begun)).toBe('stale')
    expect(await other.settle(begun, 'paid')).toBe('committed')
    expect(await other.apply(begun)).toBe('stale')
    await expectSameBooks(sides, begun.tenantId, { available: 0n, held: 0n })
  })

  test('a payout that one version applies the other settles, and neither applies it again', async () => {
    const { one, other } = sides
    const tenantId = await one.newTenant(3n * one.price)
    const [first, second, third] = [
      await newOrder(one, tenantId),
      await newOrder(other, tenantId),
      await newOrder(one, tenantId),
    ]
    expect(await one.apply(first)).toBe('committed')
    expect(await other.apply(second)).toBe('committed')
    expect(await other.apply(first)).toBe('stale')
    expect(await one.apply({ ...third, quoteId: second.quoteId })).toBe('quote_used')
    expect(await other.insertEnded(first)).toBe('stale')
    expect(await other.settle(first, 'paid')).toBe('committed')
    expect(await one.settle(second, 'closed_unpaid')).toBe('committed')
    expect(await one.settle(first, 'paid')).toBe('not in processing')
    expect(await other.insertEnded(third)).toBe('committed')
    expect(await one.apply(third)).toBe('stale')
    for (const order of [first, second, third])
      expect(await one.find(order)).toEqual(await other.find(order))
    await expectSameBooks(sides, tenantId, { available: 2n * one.price, held: 0n })
  })

  test('both versions share balance, transaction_ids and quotes when they pay at once', async () => {
    const { one, other } = sides
    const tenantId = await one.newTenant(5n * one.price)
    const newOrders = Array.from({ length: 12 }, () => newOrder(other, tenantId))
    const each = await Promise.all(newOrders)
    const results = await Promise.all(each.map((order, n) => (n % 2 ? one : other).apply(order)))
    expect(results.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'committed'),
      ...Array.from({ length: 7 }, () => 'insufficient_balance'),
    ])
    await expectSameBooks(sides, tenantId, { available: 0n, held: 5n * one.price })

    const rich = await other.newTenant(100n * one.price)
    const order = await newOrder(one, rich)
    const sameId = await Promise.all([one, other, one, other].map((by) => by.apply(order)))
    expect(sameId.toSorted()).toEqual(['committed', 'stale', 'stale', 'stale'])
    const { quoteId } = await newOrder(other, rich)
    const sameQuote = await Promise.all(
      [one, other, one, other].map((by) => by.apply({ ...newIdOf(order), quoteId })),
    )
    expect(sameQuote.toSorted()).toEqual(['committed', 'quote_used', 'quote_used', 'quote_used'])
    await expectSameBooks(sides, rich, { available: 98n * one.price, held: 2n * one.price })
  })

  test('only one of two concurrent settlements commits, and a claim supersedes the owner’s', async () => {
    const { one, other } = sides
    const tenantId = await one.newTenant(20n * one.price)
    const order = await newOrder(one, tenantId)
    await one.apply(order)
    const settled = await Promise.all([
      one.settle(order, 'paid'),
      other.settle(order, 'closed_unpaid'),
    ])
    expect(settled.filter((result) => result === 'committed')).toHaveLength(1)

    for (const [owner, worker] of [
      [one, other],
      [other, one],
    ] as const) {
      const due = await newOrder(owner, tenantId)
      expect(await owner.apply(due, 0)).toBe('committed')
      const settleClaimed = await worker.claimDue()
      expect(await owner.settle(due, 'closed_unpaid')).toBe('stale')
      expect(await settleClaimed()).toEqual({ [due.transactionId]: 'committed' })
      expect(await owner.find(due)).toMatchObject({ status: 'completed' })
    }
    expect((await one.wallet(tenantId)).held).toBe(0n)
    await expectSameBooks(sides, tenantId)
  })

  test('every event is delivered once by either version, also after a failure', async () => {
    const { one, other } = sides
    const tenantId = await one.newTenant(100n * one.price)
    const endpointId = await other.newEndpoint(tenantId)
    const pay = async (opens: Program, settles: Program) => {
      const order = await newOrder(opens, tenantId)
      await opens.apply(order)
      expect(await settles.settle(order, 'paid')).toBe('committed')
    }
    await pay(one, other)
    await pay(other, one)
    const [ofOne, ofOther] = [await one.claimDeliveries(1), await other.claimDeliveries()]
    const delivered = { ...(await ofOne(200)), ...(await ofOther(200)) }
    const ids = (await one.events(tenantId)).map((event) => event.slice(0, 36))
    expect(delivered).toEqual(Object.fromEntries(ids.map((id) => [id, 'recorded'])))

    for (const [fails, succeeds] of [
      [one, other],
      [other, one],
    ] as const) {
      await pay(fails, succeeds)
      const failed = await (await fails.claimDeliveries())(500)
      expect(Object.values(failed)).toEqual(['recorded'])
      expect(await (await succeeds.claimDeliveries())(200)).toEqual(failed)
      const [eventId = ''] = Object.keys(failed)
      expect(await one.deliveries(tenantId, endpointId)).toContain(`${eventId} delivered 500 200`)
      expect(await fails.resend(tenantId, endpointId, eventId)).toBe('committed')
      expect(await (await succeeds.claimDeliveries())(200)).toEqual(failed)
    }
    expect(await (await one.claimDeliveries())(200)).toEqual({})
    expect(await (await other.claimDeliveries())(200)).toEqual({})
    const seen = await one.deliveries(tenantId, endpointId)
    expect(seen).toHaveLength(4)
    expect(await other.deliveries(tenantId, endpointId)).toEqual(seen)
    await expectSameBooks(sides, tenantId, { available: 96n * one.price, held: 0n })
  })

  test('a transfer that one version scans the other credits, once', async () => {
    const { one, other } = sides
    const tenantId = await one.newTenant(0n)
    expect(await one.topUpAddress(tenantId)).toBe(await other.topUpAddress(tenantId))
    for (const [sees, credits] of [
      [one, other],
      [other, one],
    ] as const) {
      const txHash = await sees.scan(tenantId, 'head')
      await credits.scan(tenantId, 'solid', txHash)
      const [credit, tooLate] = [await credits.claimDeposits(), await sees.claimDeposits()]
      expect(await credit()).toEqual({ [txHash]: 'committed' })
      expect(await tooLate()).toEqual({})
      expect(await sees.deposits(tenantId)).toContain(`${txHash} credited`)
    }
    expect(await one.deposits(tenantId)).toEqual(await other.deposits(tenantId))
    await expectSameBooks(sides, tenantId, { available: 50_000_000n, held: 0n })
  })

  test('the faucet sends once for a key, whichever version gets the requests', async () => {
    const { one, other } = sides
    const tenantId = await other.newTenant(0n)
    for (const [asked, repeats] of [
      [one, other],
      [other, one],
    ] as const) {
      const key = randomBytes(8).toString('hex')
      const first = await asked.askFaucet(tenantId, key)
      expect(first.answer).toBe('committed')
      const again = await repeats.askFaucet(tenantId, key)
      expect(again.id).toBe(first.id)
      expect(again.answer).not.toBe('committed')
      const [confirm, tooLate] = [await repeats.claimSends(), await asked.claimSends()]
      expect(await confirm()).toEqual({ [first.id]: 'committed' })
      expect(await tooLate()).toEqual({})
      expect(await asked.faucetStatus(tenantId, first.id)).toBe('confirmed')
    }
  })

  test('each version sees the changes of keys and tenants that the other makes', async () => {
    const { one, other } = sides
    for (const [issues, revokes] of [
      [one, other],
      [other, one],
    ] as const) {
      const tenantId = await issues.newTenant(0n)
      const { id, key } = await issues.issueKey(tenantId)
      expect(await revokes.callerOf(key)).toBe(tenantId)
      expect(await revokes.suspend(tenantId)).toBe('suspended')
      expect(await issues.callerOf(key)).toBeUndefined()
      expect(await issues.resume(tenantId)).toBe('active')
      expect(await revokes.callerOf(key)).toBe(tenantId)
      await revokes.revokeKey(id)
      expect(await issues.callerOf(key)).toBeUndefined()
      expect(await issues.audited(id)).toEqual(['api_key.revoke', 'api_key.issue'])
      expect(await revokes.audited(tenantId)).toEqual([
        'tenant.resume',
        'tenant.suspend',
        'tenant.create',
      ])
    }
  })

  test('both versions run maintenance, and neither finds a difference in the ledger', async () => {
    const { one, other } = sides
    for (const program of [one, other, one]) expect(await program.maintain()).toEqual([])
  })
})

async function newOrder(by: Program, tenantId: string): Promise<Order> {
  return newIdOf({ tenantId, quoteId: await by.quote(tenantId) })
}

const newIdOf = (order: Omit<Order, 'transactionId'>): Order => ({
  ...order,
  transactionId: `tx-${randomBytes(8).toString('hex')}`,
})

/** Expects that both versions read the same balance, movements and events, and that the postings add up. */
async function expectSameBooks(
  { one, other }: SideBySide,
  tenantId: string,
  balance: { readonly available?: bigint; readonly held?: bigint } = {},
): Promise<void> {
  const wallet = await one.wallet(tenantId)
  expect(wallet).toMatchObject({ ...balance, isBalanced: true })
  expect(await other.wallet(tenantId)).toEqual(wallet)
  expect(await other.transactions(tenantId)).toEqual(await one.transactions(tenantId))
  expect(await other.events(tenantId)).toEqual(await one.events(tenantId))
}
