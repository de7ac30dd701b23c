import { beforeAll, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant
let payouts: Json[]

beforeAll(async () => {
  tenant = await api.tenant({ funds: 30_000_000n })
  await tenant.get('/v1/wallets')
  const make = depositMaker(api.stores, api.clock.now)
  payouts = []
  for (const scenario of ['paid', 'refused', 'paid']) {
    api.clock.step(1_000)
    await make({ tenantId: tenant.id, value: 5_000_000n })
    api.clock.step(1_000)
    payouts.push((await tenant.post('/v1/payouts', await tenant.order({}, { scenario }))).json)
  }
})

async function rows(search = ''): Promise<Json[]> {
  const reply = await tenant.get(`/v1/wallets/transactions?${search}`)
  expect(reply.status, search).toBe(200)
  return reply.json.data
}

const inShort = ({ direction, type, amount, balance_after }: Json): string =>
  `${direction} ${type} ${amount} → ${balance_after}`

test('spec §4 — GET /wallets/transactions: one row per movement of money, `in` for deposits; a released hold has none', async () => {
  expect((await rows()).map(inShort)).toEqual([
    'out payout 10.203353 → 24.593294',
    'in deposit 5.000000 → 34.796647',
    'in deposit 5.000000 → 29.796647',
    'out payout 10.203353 → 24.796647',
    'in deposit 5.000000 → 35.000000',
    'in adjustment 30.000000 → 30.000000',
  ])
})

test('a row names its payout and transaction_id, or its deposit', async () => {
  const [paid, credited] = await rows()
  const [deposit] = (await tenant.get('/v1/deposits?limit=1')).json.data
  expect(paid).toEqual({
    id: expect.stringMatching(/^wtx_[0-9A-HJKMNP-TV-Z]{26}$/),
    direction: 'out',
    type: 'payout',
    currency: 'USDT',
    amount: '10.203353',
    balance_after: '24.593294',
    payout_id: payouts[2].id,
    deposit_id: null,
    transaction_id: payouts[2].transaction_id,
    created_at: '2026-03-02T12:00:06.000Z',
  })
  expect(credited).toMatchObject({ deposit_id: deposit.id, payout_id: null, transaction_id: null })
})

test.each([
  ['direction=in', ['deposit', 'deposit', 'deposit', 'adjustment']],
  ['direction=out', ['payout', 'payout']],
  ['type=deposit', ['deposit', 'deposit', 'deposit']],
  ['type=adjustment&direction=out', []],
  ['from=2026-03-02T12:00:05.000Z', ['payout', 'deposit']],
  ['to=2026-03-02T12:00:01.000Z', ['deposit', 'adjustment']],
])('%s', async (search, types) => {
  expect((await rows(search)).map(({ type }) => type)).toEqual(types)
})

test('reconciliation: credited, debited, adjusted, held and available add up', async () => {
  const { status, json } = await tenant.get('/v1/wallets/reconciliation')
  expect(status).toBe(200)
  expect(json).toEqual({
    as_of: '2026-03-02T12:00:06.000Z',
    credited: '15.000000',
    debited: '20.406706',
    adjusted: '30.000000',
    held: '0.000000',
    available: '24.593294',
    balanced: true,
    deposits_scanned_through: { block: 3, at: '2026-03-02T12:00:05.000Z' },
  })
})

test('another tenant’s reconciliation is empty, and without a scanned block names none', async () => {
  const fresh = await testApi()
  const other = await api.tenant({ funds: 0n })
  expect((await other.get('/v1/wallets/transactions')).json.data).toEqual([])
  const early = await (await fresh.tenant()).get('/v1/wallets/reconciliation')
  expect(early.json).toMatchObject({ balanced: true, deposits_scanned_through: null })
  await fresh.stop()
})
