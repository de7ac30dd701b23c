import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let server: PostgresApi
let tenant: TestTenant

const paid = { available: '989.796647', held: '0.000000' }
const untouched = { available: '1000.000000', held: '0.000000' }
const uncertain = [503, 'OPERATION_UNCERTAIN']

const isEnded = async (id: string): Promise<boolean> =>
  (await server.stores.payouts.get(tenant.id, id))?.status !== 'processing'
/** Payments of the tests before. */
let earlier = 0
const timesPaid = (): number[] =>
  server.simulator
    .ledger()
    .payments.slice(earlier)
    .map(({ times_paid }) => times_paid)

/** Resolves when the API answers again. */
async function restore(): Promise<void> {
  await server.restoreDatabase()
  await expect.poll(async () => (await tenant.get('/v1/wallets')).status).toBe(200)
}

/** Pays while the network hangs, and cuts the database meanwhile. @returns status and code of the answer */
async function payDuringCut(order: object, hang_at: 'before_reading' | 'after_paying') {
  await server.simulator.setFaults({ hang_at })
  const reply = tenant.post('/v1/payouts', order)
  await server.simulator.untilHanging()
  await server.cutDatabase()
  server.simulator.release()
  const { status, code } = await reply
  return [status, code]
}

describe('a database outage', () => {
  beforeAll(async () => {
    server = await postgresApi({ REQUEST_LEASE_SECONDS: '3', ANSWER_WITHIN_MS: '5000' })
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    await server.simulator.clearFaults()
    earlier = server.simulator.ledger().payments.length
    tenant = await server.tenant()
  })

  test('before the payout is accepted: 503, nothing paid, and a retry pays once', async () => {
    const order = await tenant.order()
    expect(await payDuringCut(order, 'before_reading')).toEqual(uncertain)
    expect(timesPaid()).toEqual([])
    await restore()
    expect((await tenant.get('/v1/wallets')).json).toMatchObject(untouched)
    const again = await tenant.post('/v1/payouts', order)
    expect([again.status, again.json.status]).toEqual([201, 'completed'])
    expect((await tenant.get('/v1/wallets')).json).toMatchObject(paid)
    expect(timesPaid()).toEqual([1])
  })

  test('while the network pays: 503, and a retry returns that payment', async () => {
    const order = await tenant.order()
    expect(await payDuringCut(order, 'after_paying')).toEqual(uncertain)
    await restore()
    const [{ id } = { id: '' }] = (await server.stores.payouts.list(tenant.id, { limit: 1 })).items
    await server.workUntil(() => isEnded(id))
    const again = await tenant.post('/v1/payouts', order)
    expect(again.json).toMatchObject({ id, status: 'completed' })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await tenant.get('/v1/wallets')).json).toMatchObject(paid)
    expect(timesPaid()).toEqual([1])
  })

  test('under load: every answer is a payment or a 503, and retries are consistent', async () => {
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

  test('each failed request of an outage writes one line with the cause and without a stack', async () => {
    const order = await tenant.order()
    await server.cutDatabase()
    const before = server.lines.length
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, () => tenant.get('/v1/payouts')),
      ...Array.from({ length: 20 }, () => tenant.post('/v1/payouts', order)),
    ])
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503))
    const written = server.lines.slice(before)
    const aboutRequests = written.filter((line) => 'request_id' in line)
    expect(aboutRequests).toHaveLength(replies.length)
    for (const line of aboutRequests)
      expect(line).toMatchObject({ status: 503, cause: expect.stringContaining('store unavailable') })
    expect(JSON.stringify(written)).not.toContain('"stack"')
    await restore()
  })

  test('a database that confirms no write raises one alert, and its recovery is logged', async () => {
    const before = server.lines.length
    const written = () => server.lines.slice(before)
    const alerts = () => written().filter(({ alert }) => alert === 'DATABASE_CANNOT_COMMIT')
    await server.cutDatabase()
    await expect.poll(() => alerts().length).toBe(1)
    await restore()
    const again = 'the database confirms writes again'
    await expect.poll(() => written().some(({ msg }) => String(msg).startsWith(again))).toBe(true)
    expect(alerts()).toHaveLength(1)
  })
})

/** An API of the test's own, which it stops. */
async function started(env: Record<string, string>): Promise<{ server: PostgresApi; tenant: TestTenant }> {
  const own = await postgresApi(env)
  onTestFinished(() => own.stop())
  return { server: own, tenant: await own.tenant() }
}

test('stop finishes running requests, refuses new ones, and closes every connection', async () => {
  const { server, tenant } = await started({})
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
  const { server, tenant } = await started({ ANSWER_WITHIN_MS: '1000' })
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
  const { server, tenant } = await started({ STOP_WITHIN_MS: '200' })
  await server.simulator.setFaults({ hang_at: 'after_paying' })
  const reply = tenant.post('/v1/payouts', await tenant.order()).catch(() => 'cut off')
  await server.simulator.untilHanging()
  await server.api.stop()
  expect(await reply).toBe('cut off')
  const [payout] = (await server.stores.payouts.list(tenant.id, { limit: 1 })).items
  expect(payout?.status).toBe('processing')
})
