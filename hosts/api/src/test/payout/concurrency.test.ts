import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { Order, TestTenant } from '../harness/tenant.fixture.ts'

let server: PostgresApi

beforeAll(async () => {
  server = await postgresApi({ QUOTE_LIFE_SECONDS: '300' }) // Hundreds of quotes are made before the first is paid.
})
afterAll(() => server.stop())

const price = 10_203_353n

async function inTurn(count: number, make: (i: number) => Promise<Order>): Promise<Order[]> {
  const orders: Order[] = []
  for (let i = 0; i < count; i++) orders.push(await make(i))
  return orders
}

/** A pseudo-random order that depends only on the seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648)
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

async function balance(tenant: TestTenant): Promise<readonly [available: bigint, held: bigint]> {
  const wallet = await server.stores.wallets.find(tenant.id)
  return [wallet?.available.minor ?? -1n, wallet?.held.minor ?? -1n]
}

test('500 concurrent requests over 50 transaction_ids and 25 quotes: one payment per id, quote and reference, money conserved, no 5xx', async () => {
  const tenant = await server.tenant()
  const content = await tenant.qr()
  const quotes = await Promise.all(Array.from({ length: 25 }, () => tenant.quote()))
  const orders = await inTurn(50, (i) => tenant.order({ quote_id: quotes[i % 25], qr: { content } }))
  const requests = shuffled(Array.from({ length: 10 }, () => orders).flat(), 7)
  const replies = await Promise.all(requests.map((order) => tenant.post('/v1/payouts', order)))

  const statuses = new Set(replies.map(({ status }) => status))
  expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([])
  const codes = replies.filter(({ status }) => status === 409).map(({ code }) => code)
  expect(new Set(codes)).toEqual(new Set(codes.length > 0 ? ['QUOTE_ALREADY_USED'] : []))

  const idsOf = new Map<string, Set<string>>()
  for (const { status, json } of replies) {
    if (status !== 201) continue
    idsOf.set(json.transaction_id, (idsOf.get(json.transaction_id) ?? new Set()).add(json.id))
  }
  for (const [transactionId, ids] of idsOf) expect(ids.size, transactionId).toBe(1)

  const all = (await tenant.get('/v1/payouts?limit=100')).json.data as {
    id: string
    transaction_id: string
    status: string
    quote: { id: string } | null
    error: { code: string } | null
  }[]
  const paid = all.filter(({ status }) => status === 'completed')
  expect(paid).toHaveLength(25)
  expect(new Set(paid.map(({ quote }) => quote?.id))).toEqual(new Set(quotes))
  for (const { status, error } of all) {
    if (status !== 'completed') expect(error?.code).toBe('QUOTE_ALREADY_USED')
  }
  // An equal request is never refused because its own payment used the quote.
  const owners = new Set(paid.map(({ transaction_id }) => transaction_id))
  const refused = requests.filter((_, i) => replies[i]?.status === 409)
  expect(refused.filter(({ transaction_id }) => owners.has(transaction_id))).toEqual([])
  for (const { id, status } of all) {
    const [payment] = server.simulator.ledger(id).payments
    expect(payment?.times_paid ?? 0, id).toBe(status === 'completed' ? 1 : 0)
    expect(server.simulator.requests(id)[0]?.put ?? 0).toBeLessThanOrEqual(1)
  }
  expect(await balance(tenant)).toEqual([1_000_000_000n - 25n * price, 0n])
  const totals = await server.stores.wallets.totals(tenant.id)
  expect([totals.debited.minor, totals.held.minor]).toEqual([25n * price, 0n])
})
