import { type Quote, usdt } from '@quipu/core'
import { laterInstant, paidAnswer } from '@quipu/contracts'
import { describe, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { inOneBatch } from '../test/one-batch.fixture.ts'
import { everything, newEndpoint } from '../test/deliveries.fixture.ts'

const harness = useStoreHarness()

const quotesOf = (tenantId: string, prices: readonly bigint[]): Promise<Quote[]> =>
  Promise.all(prices.map((price) => harness.newQuote(tenantId, { source: usdt(price) })))

describe('one batch', () => {
  test('an item that does not fit does not count against the balance of later ones', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const quotes = await quotesOf(tenantId, [20n, 5n, 5n])
    const items = quotes.map((quote) => harness.acceptCommit(quote))
    expect(await inOneBatch(harness.sql, items)).toEqual(['insufficient_balance', 'committed', 'committed'])
    await harness.expectBalanced(tenantId)
  })

  test('an item above a daily limit does not count against the limits of later ones', async () => {
    for (const [dailyLimits, results] of [
      [{ amount: usdt(10n), count: null }, ['daily_limit_exceeded', 'committed', 'committed']],
      [{ amount: usdt(15n), count: 1 }, ['daily_limit_exceeded', 'committed', 'daily_limit_exceeded']],
      [{ amount: usdt(24n), count: null }, ['committed', 'daily_limit_exceeded', 'daily_limit_exceeded']],
    ] as const) {
      const tenantId = await harness.newWallet(usdt(100n), { dailyLimits })
      const quotes = await quotesOf(tenantId, [20n, 5n, 5n])
      const items = quotes.map((quote) => harness.acceptCommit(quote))
      expect(await inOneBatch(harness.sql, items)).toEqual(results)
      await harness.expectBalanced(tenantId)
    }
  })

  test('a call without items, or with nulls instead of arrays, returns and writes nothing', async () => {
    const nulls = (count: number): string => Array.from({ length: count }, () => 'null').join()
    for (const call of [`quipu.accept_payouts(${nulls(12)})`, `quipu.settle_payouts(${nulls(11)})`])
      expect(await harness.sql(`select from ${call}`)).toHaveLength(1)
  })

  test('of equal transaction_ids the first that fits is accepted, and later ones are stale', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const quotes = await quotesOf(tenantId, [20n, 5n, 5n])
    const items = quotes.map((quote) => harness.acceptCommit(quote, { transactionId: 'one' }))
    expect(await inOneBatch(harness.sql, items)).toEqual(['insufficient_balance', 'committed', 'stale'])
    await harness.expectBalanced(tenantId)
  })

  test('of several items with one quote the first uses it', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const quote = await harness.newQuote(tenantId, { source: usdt(3n) })
    const items = [quote, quote, quote].map((each) => harness.acceptCommit(each))
    expect(await inOneBatch(harness.sql, items)).toEqual(['committed', 'quote_used', 'quote_used'])
    await harness.expectBalanced(tenantId)
  })

  test('of two ended payouts with one transaction_id the second writes nothing', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const quote = await harness.newQuote(tenantId)
    const items = [1, 2].map(() => harness.insertEndedCommit(quote, { transactionId: 'one' }))
    expect(await inOneBatch(harness.sql, items)).toEqual(['committed', 'stale'])
    for (const [table, id] of [
      ['payout', 'id'],
      ['payout_end', 'payout_id'],
    ])
      expect(await harness.sql(`select ${id} as id from quipu.${table} where tenant_id = $1`, [tenantId])).toEqual([
        { id: items[0]?.step.payout.id },
      ])
  })

  test('an ended payout takes its transaction_id, and neither its quote nor money', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
    const refused = harness.insertEndedCommit(quote, { transactionId: 'one' })
    expect(await inOneBatch(harness.sql, [refused])).toEqual(['committed'])
    const accepts = ['one', 'two'].map((transactionId) => harness.acceptCommit(quote, { transactionId }))
    expect(await inOneBatch(harness.sql, accepts)).toEqual(['stale', 'committed'])
    await harness.expectBalanced(tenantId)
  })

  test('results are in the order of the items, though items are decided by tenant', async () => {
    const tenants = await Promise.all([4n, 10n, 7n].map((each) => harness.newWallet(usdt(each))))
    const wanted = [2, 0, 1, 0, 2, 1].map((each) => tenants[each] ?? '')
    const quotes = await Promise.all(wanted.map((tenantId) => harness.newQuote(tenantId, { source: usdt(4n) })))
    const items = quotes.map((quote) => harness.acceptCommit(quote))
    expect(await inOneBatch(harness.sql, items)).toEqual([
      'committed',
      'committed',
      'committed',
      'insufficient_balance',
      'insufficient_balance',
      'committed',
    ])
    for (const tenantId of tenants) await harness.expectBalanced(tenantId)
  })

  test('of two settlements of a payout in one batch the first is committed', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(4n) }))
    const other = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(4n) }))
    const items = [
      harness.settleCommit(payout, { type: 'cancelled' }),
      harness.settleCommit(payout, paidAnswer(payout)),
      harness.settleCommit(other, paidAnswer(other)),
    ]
    expect(await inOneBatch(harness.sql, items)).toEqual(['committed', 'stale', 'committed'])
    expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(6n), held: usdt(0n) })
    await harness.expectBalanced(tenantId)
  })

  test('the events of a batch with a stale settlement are signalled like any others', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const endpointId = await newEndpoint(harness, tenantId)
    const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(4n) }))
    const settlement = harness.settleCommit(payout, paidAnswer(payout))
    expect(await inOneBatch(harness.sql, [settlement, settlement])).toEqual(['committed', 'stale'])
    const claimed = await harness.stores.deliveries.claimDue(everything)
    expect(claimed).toMatchObject([{ tenantId, claim: { endpointId } }])
  })

  test('every posting has the balance after it, and the log is numbered without a gap', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const quotes = await quotesOf(tenantId, [1n, 2n, 3n])
    const accepts = quotes.map((quote) => harness.acceptCommit(quote))
    await inOneBatch(harness.sql, accepts)
    const settles = accepts.map(({ step: { payout } }, i) =>
      harness.settleCommit(payout, i === 1 ? { type: 'limit' } : paidAnswer(payout)),
    )
    await inOneBatch(harness.sql, settles)
    const rows = await harness.sql(
      `select type, amount::int, available_after::int, held_after::int, seq::int
       from quipu.posting where tenant_id = $1 order by seq nulls first, payout_id`,
      [tenantId],
    )
    expect(rows.slice(0, 3)).toEqual([
      { type: 'hold', amount: 1, available_after: 9, held_after: 1, seq: null },
      { type: 'hold', amount: 2, available_after: 7, held_after: 3, seq: null },
      { type: 'hold', amount: 3, available_after: 4, held_after: 6, seq: null },
    ])
    expect(rows.slice(4)).toEqual([
      // The wallet's first entry is its deposit.
      { type: 'capture', amount: 1, available_after: 4, held_after: 5, seq: 2 },
      { type: 'release', amount: 2, available_after: 6, held_after: 3, seq: 3 },
      { type: 'capture', amount: 3, available_after: 6, held_after: 0, seq: 4 },
    ])
  })

  test('captures of a wallet are logged in the order of their instants, and keep them', async () => {
    const tenantId = await harness.newWallet(usdt(10n))
    const accepts = (await quotesOf(tenantId, [1n, 1n, 1n])).map((quote) => harness.acceptCommit(quote))
    await inOneBatch(harness.sql, accepts)
    const instants = [3, 1, 2].map((ms) => new Date(laterInstant.getTime() + ms))
    const writes = accepts.map(({ step: { payout } }, n) =>
      harness.settleCommit(payout, paidAnswer(payout), { at: instants[n] ?? laterInstant }),
    )
    expect(await inOneBatch(harness.sql, writes)).toEqual(['committed', 'committed', 'committed'])
    const { items } = await harness.stores.wallets.transactions(tenantId, { limit: 3 })
    expect(items.map(({ seq, createdAt }) => [seq, createdAt])).toEqual([
      [4n, instants[0]],
      [3n, instants[2]],
      [2n, instants[1]],
    ])
  })
})

describe('the queue', () => {
  test('an item that fails in the database fails alone, with the database’s error', async () => {
    const tenantId = await harness.newWallet(usdt(100n))
    const [first, second, third] = await quotesOf(tenantId, [1n, 1n, 1n])
    if (!first || !second || !third) throw new Error('three quotes')
    const good = harness.acceptCommit(first)
    const poison = harness.acceptCommit(second, { fingerprint: 'nul \u0000' })
    const other = harness.acceptCommit(third)
    const { payouts } = harness.stores
    const results = await Promise.allSettled([good, poison, other].map(payouts.commit))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { name: 'error', code: '22021' } })
    await harness.expectBalanced(tenantId)
  })

  test('500 requests over 50 ids, with rivals for 50 quotes, through four connections a kind', async () => {
    const tenants = await Promise.all(Array.from({ length: 5 }, () => harness.newWallet(usdt(70n))))
    const quotes = await Promise.all(
      Array.from({ length: 50 }, (_, i) => harness.newQuote(tenants[i % 5] ?? '', { source: usdt(10n) })),
    )
    const writes = Array.from({ length: 500 }, (_, i) => {
      // Ten requests an id; every third names the next id's quote of the same tenant.
      const id = i % 50
      const quote = quotes[i % 3 === 0 ? (id + 5) % 50 : id]
      if (quote === undefined) throw new Error('50 quotes')
      return harness.acceptCommit(quote, { transactionId: `id-${id}` })
    })
    const results = await Promise.all(writes.map(harness.stores.payouts.commit))
    const committed = writes.filter((_, i) => results[i] === 'committed')
    const payouts = committed.map(({ step }) => step.payout)
    expect(payouts).toHaveLength(35) // seven a tenant, for which its balance suffices
    expect(new Set(payouts.map(({ transactionId }) => transactionId)).size).toBe(35)
    expect(new Set(payouts.map(({ quoteId }) => quoteId)).size).toBe(35)
    for (const tenantId of tenants) {
      expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(0n), held: usdt(70n) })
      await harness.expectBalanced(tenantId)
    }
  })
})

test('rows of the ledger can be neither changed nor deleted', async () => {
  const tenantId = await harness.newWallet(usdt(10n))
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(4n) }))
  await harness.stores.payouts.commit(harness.settleCommit(payout, paidAnswer(payout)))
  const tables = ['funding_entry', 'quote', 'payout', 'payout_end', 'adjustment', 'audit_log']
  for (const table of tables) {
    const change = table === 'audit_log' ? 'actor = actor' : 'tenant_id = tenant_id'
    for (const statement of [`update quipu.${table} set ${change}`, `truncate quipu.${table}`])
      await expect(harness.sql(statement)).rejects.toThrow('append-only')
    const why = table === 'quote' ? 'is used, or has not expired' : 'append-only'
    await expect(harness.sql(`delete from quipu.${table}`)).rejects.toThrow(why)
  }
})

test('pages show 10,000 payouts newest first, each once, while others are inserted', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  const quote = await harness.newQuote(tenantId)
  const { payouts } = harness.stores
  const start = new Date('2026-05-01T00:00:00.000Z').getTime()
  // Seven a millisecond, so that pages end between payouts of one instant.
  const insertEnded = (n: number) => {
    const createdAt = new Date(start + Math.floor(n / 7))
    return payouts.commit(harness.insertEndedCommit(quote, { createdAt, code: 'QUOTE_EXPIRED' }))
  }
  await Promise.all(Array.from({ length: 10_000 }, (_, n) => insertEnded(n)))

  const seen: { readonly id: string; readonly createdAt: Date }[] = []
  const before = await harness.sql('select id from quipu.payout where tenant_id = $1', [tenantId])
  let after: { createdAt: Date; id: string } | null | undefined
  let inserted = 10_000
  do {
    const page = await payouts.list(tenantId, { limit: 100, ...(after && { after }) })
    seen.push(...page.items)
    after = page.next
    await Promise.all([insertEnded(inserted++), insertEnded(0)])
  } while (after)

  const ids = seen.map(({ id }) => id)
  const known = new Set(before.map(({ id }) => id))
  expect(ids.filter((id) => known.has(id))).toHaveLength(10_000)
  expect(new Set(ids).size).toBe(ids.length)
  const places = seen.map(({ createdAt, id }) => `${createdAt.toISOString()} ${id}`)
  expect(places).toEqual(places.toSorted().toReversed())
})
