import { eventsAbout } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scenario } from '@quipu/simulators'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import { sendRequest, type Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let server: PostgresApi
let tenant: TestTenant

beforeAll(async () => {
  server = await postgresApi()
  tenant = await server.tenant()
})
afterAll(() => server.stop())

const price = 10_203_353n

async function wallet(): Promise<{ available: bigint; held: bigint }> {
  const found = await server.stores.wallets.find(tenant.id)
  return { available: found?.available.minor ?? 0n, held: found?.held.minor ?? 0n }
}

const paidFor = (id: string): number => server.simulator.ledger(id).payments[0]?.times_paid ?? 0

const eventsOf = async (id: string): Promise<string[]> => {
  const events = await eventsAbout(server.stores, tenant.id, id)
  return events.map(({ type }) => type)
}

test('sandbox QR, resolve, quote, pay, read, list, wallet', async () => {
  const before = await wallet()
  const qr = await tenant.post('/v1/sandbox/qr-codes', { amount_mode: 'closed', amount: '100.00' })
  expect(qr.status).toBe(201)
  const { content } = qr.json
  expect(content.length).toBeGreaterThan(350)
  const resolved = await tenant.post('/v1/payouts/qr/resolve', { content })
  expect(resolved.json).toMatchObject({ amount_mode: 'closed', amount: { amount: '100.00' } })
  const { resolution_id } = resolved.json
  const quote = await tenant.post('/v1/quotes', { resolution_id })
  expect(quote.json).toMatchObject({ source: { amount: '10.203353' }, status: 'open' })
  const order = await tenant.order({ quote_id: quote.json.id, qr: { content } })
  const paid = await tenant.post('/v1/payouts', order)
  expect([paid.status, paid.json.status]).toEqual([201, 'completed'])
  expect(paid.json).toMatchObject({ resolution_id, source: { amount: '10.203353' } })
  expect((await tenant.get(`/v1/payouts/${paid.json.id}`)).json).toEqual(paid.json)
  const found = await tenant.get(`/v1/payouts?transaction_id=${order.transaction_id}`)
  expect(found.json).toEqual({ data: [paid.json], next_cursor: null })
  expect(paidFor(paid.json.id)).toBe(1)
  const after = await wallet()
  expect([before.available - after.available, after.held]).toEqual([price, 0n])
  const [event] = await eventsAbout(server.stores, tenant.id, paid.json.id)
  expect(JSON.parse(new TextDecoder().decode(event?.body)).data).toEqual(paid.json)
})

type End = readonly [status: string, code: string | null, event: string | null]
const processing: End = ['processing', null, null]
const completed: End = ['completed', null, 'payout.completed']
const failed: End = ['failed', 'PAYMENT_FAILED', 'payout.failed']
const rejected: End = ['rejected', 'QR_REFUSED', null]
const cancelled = (code: string): End => ['cancelled', code, 'payout.cancelled']

/** Scenario of the QR, answer of `POST /payouts`, and final state. */
const ends: readonly (readonly [scenario: Scenario, answer: End, end: End])[] = [
  ['paid', completed, completed],
  ['refused', failed, failed],
  ['refused_qr', rejected, rejected],
  ['no_liquidity', cancelled('INSUFFICIENT_FUNDS'), cancelled('INSUFFICIENT_FUNDS')],
  ['expired', rejected, rejected],
  ['used', rejected, rejected],
  ['usd', rejected, rejected],
  ['late', processing, completed],
  ['late_refused', processing, failed],
  ['late_refused_qr', processing, failed],
  ['late_no_liquidity', processing, cancelled('INSUFFICIENT_FUNDS')],
  ['late_limit', processing, cancelled('AMOUNT_EXCEEDS_PROVIDER_LIMIT')],
  ['pay_then_drop', processing, completed],
  ['pay_then_error', processing, completed],
  ['pay_then_garble', processing, completed],
  ['drop_then_nothing', processing, cancelled('PAYMENT_CANCELLED')],
]

test.concurrent.each(ends)('scenario %s: the answer is %j, the final state %j', async (scenario, answer, end) => {
  const own = await server.tenant(price)
  const { content } = server.simulator.issueQr({ amount_mode: 'closed', amount: '100.00', scenario })
  const order = await own.order({ qr: { content } })
  const { status, json } = await own.post('/v1/payouts', order)
  expect(status).toBe(201)
  expect([json.status, json.error?.code ?? null]).toEqual(answer.slice(0, 2))
  const read = async (): Promise<Json> => (await own.get(`/v1/payouts/${json.id}`)).json
  await server.workUntil(async () => (await read()).status !== 'processing')
  const final = await read()
  const [state, code, event] = end
  expect([final.status, final.error?.code ?? null]).toEqual([state, code])
  const events = await eventsAbout(server.stores, own.id, json.id)
  expect(events.map(({ type }) => type)).toEqual(event ? [event] : [])
  const isPaid = state === 'completed'
  expect((await own.get('/v1/wallets')).json).toMatchObject({
    available: isPaid ? '0.000000' : '10.203353',
    held: '0.000000',
  })
  expect(paidFor(json.id)).toBe(isPaid ? 1 : 0)
  const replay = await own.post('/v1/payouts', order)
  expect(replay.json).toEqual(final)
})

test.each(['wrong_amount', 'wrong_currency'] as const)(
  'the network pays a %s: processing, and the hold is kept',
  async (scenario) => {
    const before = await wallet()
    const { content } = server.simulator.issueQr({ amount_mode: 'closed', amount: '100.00', scenario })
    const { json } = await tenant.post('/v1/payouts', await tenant.order({ qr: { content } }))
    expect(json.status).toBe('processing')
    const after = await wallet()
    expect(before.available - after.available).toBe(price)
    expect(after.held - before.held).toBe(price)
    expect(await eventsOf(json.id)).toEqual([])
  },
)

test('a callback makes a late payout due; its content settles nothing', async () => {
  const { content } = server.simulator.issueQr({ amount_mode: 'closed', amount: '100.00', scenario: 'late_unsettled' })
  const { json } = await tenant.post('/v1/payouts', await tenant.order({ qr: { content } }))
  server.simulator.settle(json.id)
  const sent = await server.simulator.sendCallback({ reference: json.id, outcome: 'refused_payment' })
  expect(sent).toBe(204)
  await server.workUntil(async () => (await tenant.get(`/v1/payouts/${json.id}`)).json.status === 'completed')
  expect(paidFor(json.id)).toBe(1)
})

test('/readyz fails during a database outage', async () => {
  const ready = () => sendRequest(`${server.api.url}/readyz`, 'GET')
  expect((await ready()).status).toBe(200)
  await server.cutDatabase()
  const gone = await ready()
  expect([gone.status, gone.json.checks]).toEqual([503, { serving: 'ok', database: 'failing', clock: 'ok' }])
  await server.restoreDatabase()
  await expect.poll(async () => (await ready()).status).toBe(200)
})
