import { Unavailable, usdt } from '@quipu/core'
import type { PayoutStore } from '@quipu/core/adapter'
import { approveAdjustment, eventsAbout, laterInstant, paidAnswer } from '@quipu/contracts'
import type { Cut, Proxy } from '@quipu/embedded-postgres'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { openFragileStores, useStoreHarness } from '../test/stores.fixture.ts'
import type { PostgresStores } from '../stores.ts'

const harness = useStoreHarness({ connectTimeoutMs: 5_000 })

const opened: { fragile: PostgresStores; proxy: Proxy }[] = []
afterEach(async () => {
  for (const { fragile, proxy } of opened.splice(0)) {
    await fragile.close()
    await proxy.shut()
  }
})
async function fragileStores(options = {}): Promise<{ fragile: PostgresStores; proxy: Proxy }> {
  const both = await openFragileStores(harness.stores.processUrl, options)
  opened.push(both)
  return both
}

async function newAcceptance(price = 4n) {
  const tenantId = await harness.newWallet(usdt(10n))
  return harness.acceptCommit(await harness.newQuote(tenantId, { source: usdt(price) }))
}

describe('a connection that is lost during a commit', () => {
  for (const when of ['unsent', 'sent', 'done'] satisfies Cut[]) {
    test(`accepts the payout once and returns committed, when it is lost ${when}`, async () => {
      const { fragile, proxy } = await fragileStores()
      const write = await newAcceptance()
      const { payout } = write.step
      const cut = proxy.cutNext('accept_payouts', when)
      expect(await fragile.payouts.commit(write)).toBe('committed')
      await cut
      expect(await harness.stores.payouts.get(payout.tenantId, payout.id)).toEqual(payout)
      const held = usdt(4n)
      expect(await harness.stores.wallets.find(payout.tenantId)).toMatchObject({ held })
      await harness.expectBalanced(payout.tenantId)
    })

    test(`settles the payout once and returns committed, when it is lost ${when}`, async () => {
      const { fragile, proxy } = await fragileStores()
      const { step } = await newAcceptance()
      const payout = await harness.newPayout(step.payout.quote)
      const cut = proxy.cutNext('settle_payouts', when)
      expect(await fragile.payouts.commit(harness.settleCommit(payout, paidAnswer(payout)))).toBe('committed')
      await cut
      expect(await harness.stores.wallets.find(payout.tenantId)).toMatchObject({ available: usdt(6n), held: usdt(0n) })
      expect(await eventsAbout(harness.stores, payout.tenantId, payout.id)).toHaveLength(1)
      await harness.expectBalanced(payout.tenantId)
    })
  }

  test.each(['unsent', 'sent', 'done'] as const)(
    'answers a quote and a resolution that are stored, when it is lost %s',
    async (when) => {
      const { fragile, proxy } = await fragileStores()
      const { id: tenantId } = await harness.newTenant()
      const { createdAt: _at, expiresAt: _until, ...made } = await harness.newQuote(tenantId)
      const draft = { ...made, id: harness.ids.uuid(laterInstant) }
      const quoteCut = proxy.cutNext('insert_quotes', when)
      const quote = await fragile.quotes.insert(draft, 60, null)
      await quoteCut
      expect(await harness.stores.quotes.find(tenantId, draft.id)).toMatchObject({ quote })
      const resolution = { ...(await harness.newResolution(tenantId)), id: harness.ids.next('qrr', laterInstant) }
      const resolutionCut = proxy.cutNext('insert_resolutions', when)
      expect(await fragile.resolutions.insert(resolution, null)).toBe('committed')
      await resolutionCut
      expect(await harness.stores.resolutions.find(tenantId, resolution.id)).toEqual(resolution)
    },
  )

  test.each(['sent', 'done'] as const)('returns the instant of a redated capture, when it is lost %s', async (when) => {
    const { fragile, proxy } = await fragileStores()
    const { step } = await newAcceptance()
    const { quote } = step.payout
    const [first, second] = [
      await harness.newPayout(quote),
      await harness.newPayout(await harness.newQuote(quote.tenantId, { source: usdt(1n) })),
    ]
    await harness.stores.payouts.commit(harness.settleCommit(first, paidAnswer(first)))
    const earlier = new Date(laterInstant.getTime() - 5)
    const cut = proxy.cutNext('settle_payouts', when)
    const write = harness.settleCommit(second, paidAnswer(second), { at: earlier })
    expect(await fragile.payouts.commit(write)).toEqual({ redatedTo: laterInstant })
    await cut
    const stored = await harness.stores.payouts.get(second.tenantId, second.id)
    expect(stored).toEqual({ ...write.step.payout, endedAt: laterInstant })
  })

  test('ends the session of a statement that still waits before the item is sent again', async () => {
    const { fragile, proxy } = await fragileStores({ batchConnections: { paying: 1 } })
    expect(await fragile.payouts.commit(await newAcceptance())).toBe('committed')
    const earlier = await batchSessionPids()
    const write = await newAcceptance()
    const { tenantId, id } = write.step.payout
    const holder = new pg.Client(harness.stores.url)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from quipu.wallet where tenant_id = $1 for update', [tenantId])

    const cut = proxy.cutNext('accept_payouts', 'sent')
    const committed = fragile.payouts.commit(write)
    await cut
    const later = async () =>
      (await batchSessionPids("wait_event_type = 'Lock'")).filter((pid) => !earlier.includes(pid))
    await expect.poll(later).toHaveLength(1)
    await holder.end()

    expect(await committed).toBe('committed')
    expect(await harness.stores.payouts.get(tenantId, id)).toEqual(write.step.payout)
    await harness.expectBalanced(tenantId)
  })

  test('tries again when the second try loses its connection, too', async () => {
    const { fragile, proxy } = await fragileStores()
    const write = await newAcceptance()
    const cuts = proxy.cutNext('accept_payouts', 'unsent').then(() => proxy.cutNext('accept_payouts', 'done'))
    expect(await fragile.payouts.commit(write)).toBe('committed')
    await cuts
    await harness.expectBalanced(write.step.payout.tenantId)
  })

  test('every item of the batch gets its own result', async () => {
    const { fragile, proxy } = await fragileStores()
    const tenantId = await harness.newWallet(usdt(10n))
    const quotes = await Promise.all([20n, 5n, 5n].map((price) => harness.newQuote(tenantId, { source: usdt(price) })))
    const cut = proxy.cutNext('accept_payouts', 'done')
    const writes = quotes.map((quote) => harness.acceptCommit(quote))
    expect(await Promise.all(writes.map(fragile.payouts.commit))).toEqual([
      'insufficient_balance',
      'committed',
      'committed',
    ])
    await cut
    await harness.expectBalanced(tenantId)
  })

  test('sessions that are killed repeatedly lose no write and repeat none', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => harness.newWallet(usdt(50n))))
    const quotes = await Promise.all(
      Array.from({ length: 200 }, (_, i) => harness.newQuote(tenants[i % 4] ?? '', { source: usdt(1n) })),
    )
    const payAll = Promise.all(
      quotes.map(async (quote) => {
        const write = harness.acceptCommit(quote)
        expect(await untilKnown(harness.stores.payouts, write)).toBe(true)
        const end = harness.settleCommit(write.step.payout, paidAnswer(write.step.payout))
        expect(await untilKnown(harness.stores.payouts, end)).toBe(true)
      }),
    )
    let killed = 0
    for (let n = 0; n < 30; n++) {
      const rows = await harness.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'quipu-batch-%' and datname = current_database()`,
      )
      killed += rows.length
    }
    expect(killed).toBeGreaterThan(0)
    await payAll
    for (const tenantId of tenants) {
      expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(0n), held: usdt(0n) })
      await harness.expectBalanced(tenantId)
    }
  })
})

describe('a database outage', () => {
  // The first connections and statements of each test must succeed on a busy machine too.
  const impatient = { connectTimeoutMs: 2_500, statementTimeoutMs: 2_000 }

  test('makes every method throw Unavailable, and ends without a restart', async () => {
    const { fragile, proxy } = await fragileStores(impatient)
    const write = await newAcceptance()
    const { tenantId, id, transactionId, quoteId } = write.step.payout
    await fragile.ping()
    expect(await fragile.payouts.get(tenantId, id)).toBeUndefined()
    await proxy.shut()
    await Promise.all(
      [
        () => fragile.payouts.commit(write),
        () => fragile.payouts.get(tenantId, id),
        () => fragile.payouts.findForCreate(tenantId, transactionId, quoteId, 'latest'),
        () => fragile.payouts.list(tenantId, { limit: 1 }),
        () => fragile.payouts.claimDue(1, 1),
        () => fragile.wallets.find(tenantId),
        () => fragile.ping(),
      ].map((call) => expect(call()).rejects.toBeInstanceOf(Unavailable)),
    )
    await proxy.open()
    await expect.poll(() => fragile.ping().then(() => 'answers', String)).toBe('answers')
    expect(await fragile.payouts.commit(write)).toBe('committed')
    expect(await fragile.payouts.get(tenantId, id)).toEqual(write.step.payout)
    expect(await fragile.payouts.list(tenantId, { limit: 1 })).toMatchObject({ items: [{ id }] })
  })

  test('that is shorter than the connect timeout fails no call', async () => {
    const { fragile, proxy } = await fragileStores()
    const [first, second] = [await newAcceptance(), await newAcceptance()]
    expect(await fragile.payouts.commit(first)).toBe('committed')
    await proxy.shut()
    const committed = fragile.payouts.commit(second)
    await proxy.open()
    expect(await committed).toBe('committed')
  })

  test('fails a call at its timeout when the server accepts connections and does not answer', async () => {
    const { fragile, proxy } = await fragileStores(impatient)
    const write = await newAcceptance()
    await fragile.ping()
    const { tenantId, id } = write.step.payout
    await fragile.payouts.list(tenantId, { limit: 1 })
    proxy.blackOut()
    await Promise.all(
      [
        () => fragile.payouts.commit(write),
        () => fragile.payouts.get(tenantId, id),
        () => fragile.payouts.list(tenantId, { limit: 1 }),
        () => fragile.ping(),
      ].map((call) => expect(call()).rejects.toBeInstanceOf(Unavailable)),
    )
  })

  test('includes a server that is set read-only', async () => {
    const write = await newAcceptance()
    const { fragile } = await fragileStores()
    const [{ name } = {}] = await harness.sql('select current_database() as name')
    await harness.sql(`alter database "${String(name)}" set default_transaction_read_only = on`)
    try {
      await expect(fragile.payouts.commit(write)).rejects.toBeInstanceOf(Unavailable)
    } finally {
      await harness.sql(`alter database "${String(name)}" reset default_transaction_read_only`)
    }
  })
})

test('an error of the request is not Unavailable', async () => {
  const { ids, stores } = harness
  const tenantId = ids.next('ten', new Date())
  const why = { reason: 'a tenant that is not there', actor: 'ana' }
  const adjustment = { id: '1', tenantId, direction: 'in', amount: usdt(1n), ...why } as const
  await expect(approveAdjustment(stores, adjustment)).rejects.not.toBeInstanceOf(Unavailable)
})

test('close waits for running writes, and makes later calls throw Unavailable', async () => {
  const { fragile } = await fragileStores()
  const write = await newAcceptance()
  const committed = fragile.payouts.commit(write)
  await fragile.close()
  expect(await committed).toBe('committed')
  await expect(fragile.payouts.commit(await newAcceptance())).rejects.toBeInstanceOf(Unavailable)
  await expect(fragile.ping()).rejects.toBeInstanceOf(Unavailable)
})

/** Repeats the write until its outcome is known; `stale` then means that an earlier try was committed. */
async function untilKnown(payouts: PayoutStore, write: Parameters<PayoutStore['commit']>[0]): Promise<boolean> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      const result = await payouts.commit(write)
      return result === 'committed' || (tries > 0 && result === 'stale')
    } catch (error) {
      expect(error).toBeInstanceOf(Unavailable)
    }
  }
  return false
}

/** The process ids of batch sessions, or of those in some state. */
async function batchSessionPids(state = 'true'): Promise<unknown[]> {
  const rows = await harness.sql(
    `select pid from pg_stat_activity
     where application_name like 'quipu-batch-%' and datname = current_database() and ${state}`,
  )
  return rows.map(({ pid }) => pid)
}
