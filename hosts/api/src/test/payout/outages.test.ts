import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Json } from '../harness/http-client.fixture.ts'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let server: PostgresApi
let tenant: TestTenant

beforeEach(async () => {
  server = await postgresApi({ LEASE_SECONDS: '3', ANSWER_WITHIN_MS: '5000' })
  tenant = await server.tenant()
})
afterEach(() => server.stop())

const paid = { available: '989.796647', held: '0.000000' }
const untouched = { available: '1000.000000', held: '0.000000' }
const uncertain = [503, 'OPERATION_UNCERTAIN']

const read = async (id: string): Promise<Json> => (await tenant.get(`/v1/payouts/${id}`)).json
const isEnded = async (id: string): Promise<boolean> =>
  (await server.stores.payouts.get(tenant.id, id))?.status !== 'processing'
const timesPaid = (): number[] => server.simulator.ledger().payments.map(({ times_paid }) => times_paid)

/** Resolves when the API answers again. */
async function restore(): Promise<void> {
  await server.restoreDatabase()
  await expect.poll(async () => (await tenant.get('/v1/wallets')).status).toBe(200)
}

test('a database outage before the payout is accepted: 503, nothing paid, and a retry pays once', async () => {
  const order = await tenant.order()
  await server.simulator.setFaults({ hang_at: 'before_reading' })
  const reply = tenant.post('/v1/payouts', order)
  await server.simulator.untilHanging()
  await server.cutDatabase()
  server.simulator.release()
  const { status, code } = await reply
  expect([status, code]).toEqual(uncertain)
  expect(timesPaid()).toEqual([])
  await restore()
  expect((await tenant.get('/v1/wallets')).json).toMatchObject(untouched)
  const again = await tenant.post('/v1/payouts', order)
  expect([again.status, again.json.status]).toEqual([201, 'completed'])
  expect((await tenant.get('/v1/wallets')).json).toMatchObject(paid)
  expect(timesPaid()).toEqual([1])
})

test('a database outage while the network pays: 503, and a retry returns that payment', async () => {
  const order = await tenant.order()
  await server.simulator.setFaults({ hang_at: 'after_paying' })
  const reply = tenant.post('/v1/payouts', order)
  await server.simulator.untilHanging()
  await server.cutDatabase()
  server.simulator.release()
  const { status, code } = await reply
  expect([status, code]).toEqual(uncertain)
  await restore()
  const [{ id } = { id: '' }] = (await server.stores.payouts.list(tenant.id, { limit: 1 })).items
  await server.workUntil(() => isEnded(id))
  const again = await tenant.post('/v1/payouts', order)
  expect(again.json).toMatchObject({ id, status: 'completed' })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect((await tenant.get('/v1/wallets')).json).toMatchObject(paid)
  expect(timesPaid()).toEqual([1])
})

test('a database outage before the request: 503 everywhere, OPERATION_UNCERTAIN on POST /payouts', async () => {
  const order = await tenant.order()
  await server.cutDatabase()
  const payout = await tenant.post('/v1/payouts', order)
  expect([payout.status, payout.code]).toEqual(uncertain)
  for (const path of ['/v1/payouts', '/v1/wallets', `/v1/quotes/${order.quote_id}`]) {
    const reply = await tenant.get(path)
    expect([reply.status, reply.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  }
  await restore()
  expect((await tenant.post('/v1/payouts', order)).json.status).toBe('completed')
})

test('a database outage under load: every answer is a payment or a 503, and retries are consistent', async () => {
  const content = await tenant.qr()
  const orders = await Promise.all(Array.from({ length: 40 }, () => tenant.order({ qr: { content } })))
  const replies = orders.map((order) => tenant.post('/v1/payouts', order))
  await Promise.race(replies)
  await server.cutDatabase()
  const statuses = (await Promise.all(replies)).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([])
  await restore()
  const isQuiet = async (): Promise<boolean> => {
    const { items } = await server.stores.payouts.list(tenant.id, { limit: 100 })
    return items.every(({ status }) => status !== 'processing')
  }
  await server.workUntil(isQuiet)
  const again = await Promise.all(orders.map((order) => tenant.post('/v1/payouts', order)))
  const ended = again.map(({ json }) => json.status)
  // A payment that the network had not seen when a worker queried it is cancelled there.
  expect(ended.filter((status) => status !== 'completed' && status !== 'cancelled')).toEqual([])
  const completed = ended.filter((status) => status === 'completed').length
  expect(timesPaid()).toEqual(Array.from({ length: completed }, () => 1))
  const wallet = await server.stores.wallets.find(tenant.id)
  const spent = BigInt(completed) * 10_203_353n
  expect([wallet?.available.minor, wallet?.held.minor]).toEqual([1_000_000_000n - spent, 0n])
})

test('a network outage: 503 for QRs, nothing lost, nothing held', async () => {
  const order = await tenant.order()
  const { content } = order.qr
  await server.simulator.setFaults({ down: 'refuse' })
  const resolve = await tenant.post('/v1/payouts/qr/resolve', { content })
  expect([resolve.status, resolve.code]).toEqual([503, 'NETWORK_UNAVAILABLE'])
  const issue = await tenant.post('/v1/sandbox/qr-codes', { amount_mode: 'open' })
  expect([issue.status, issue.code]).toEqual([503, 'NETWORK_UNAVAILABLE'])
  const pay = await tenant.post('/v1/payouts', order)
  expect([pay.status, pay.code]).toEqual(uncertain)
  expect((await tenant.get('/v1/wallets')).json).toMatchObject(untouched)
  await server.simulator.clearFaults()
  expect((await tenant.post('/v1/payouts', order)).json.status).toBe('completed')
})

test('a network outage before the order is sent: not sent for certain, cancelled and released', async () => {
  const content = await tenant.qr()
  const { resolution_id } = (await tenant.post('/v1/payouts/qr/resolve', { content })).json
  const quote_id = await tenant.quote('100.00', { resolution_id })
  const order = await tenant.order({ quote_id, qr: { content } })
  await server.simulator.setFaults({ down: 'refuse' })
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
  expect((await tenant.get('/v1/wallets')).json).toMatchObject(untouched)
})

test('the network drops its answer after paying: processing, then completed by a worker’s query', async () => {
  const order = await tenant.order()
  await server.simulator.setFaults({ drop_answer_after_paying: 1 })
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json.status).toBe('processing')
  await server.workUntil(() => isEnded(json.id))
  expect((await read(json.id)).status).toBe('completed')
  expect((await tenant.post('/v1/payouts', order)).json).toMatchObject({ id: json.id })
  expect(timesPaid()).toEqual([1])
})

test('stop finishes running requests, refuses new ones, and closes every connection', async () => {
  const order = await tenant.order()
  await server.simulator.setFaults({ hang_at: 'after_paying' })
  const reply = tenant.post('/v1/payouts', order)
  await server.simulator.untilHanging()
  const stopped = server.api.stop()
  await expect(tenant.get('/v1/wallets')).rejects.toThrow('fetch failed')
  server.simulator.release()
  const { status, json, headers } = await reply
  expect([status, json.status]).toEqual([201, 'completed'])
  expect(headers.get('connection')).toBe('close')
  await stopped
  const payout = await server.stores.payouts.get(tenant.id, json.id)
  expect(payout?.status).toBe('completed')
})

test('stop waits for a payment that continues after its answer', async () => {
  await server.stop()
  server = await postgresApi({ ANSWER_WITHIN_MS: '1000' })
  tenant = await server.tenant()
  const order = await tenant.order()
  await server.simulator.setFaults({ hang_at: 'after_paying' })
  const { json } = await tenant.post('/v1/payouts', order)
  expect(json.status).toBe('processing')
  const stopped = server.api.stop()
  server.simulator.release()
  await stopped
  const payout = await server.stores.payouts.get(tenant.id, json.id)
  expect(payout?.status).toBe('completed')
})

test('stop ends after STOP_WITHIN_MS and leaves open payouts to a worker', async () => {
  await server.stop()
  server = await postgresApi({ STOP_WITHIN_MS: '200' })
  tenant = await server.tenant()
  await server.simulator.setFaults({ hang_at: 'after_paying' })
  const reply = tenant.post('/v1/payouts', await tenant.order()).catch(() => 'cut off')
  await server.simulator.untilHanging()
  await server.api.stop()
  expect(await reply).toBe('cut off')
  const [payout] = (await server.stores.payouts.list(tenant.id, { limit: 1 })).items
  expect(payout?.status).toBe('processing')
})
