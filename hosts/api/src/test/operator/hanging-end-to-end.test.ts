import type { Scenario } from '@quipu/simulators'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settlement } from '../harness/hanging-payout.fixture.ts'
import { type Json, type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import { postgresApi, type PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

// Over the real API, PostgreSQL, a worker and a simulated network: each payout that hangs is brought to its end
// by two people, and the wallet balances afterwards.

let server: PostgresApi
let tenant: TestTenant
const token = 'operators'
beforeAll(async () => {
  server = await postgresApi()
})
beforeEach(async () => {
  await server.simulator.clearFaults()
  tenant = await server.tenant()
})
afterAll(() => server.stop())

/** Omar proposes, Olivia approves. */
const omar = (method: string, path: string, body?: unknown): Promise<Reply> =>
  sendRequest(`${server.api.operatorUrl}/operator/v1${path}`, method, { token, body })
const olivia = (path: string): Promise<Reply> => server.operator('POST', `/operator/v1${path}`)
const query = (id: string): Promise<Reply> => omar('POST', `/payouts/${id}/query`)
const payoutOf = async (id: string): Promise<Json> => (await tenant.get(`/v1/payouts/${id}`)).json

async function processing(scenario: Scenario): Promise<string> {
  const { content } = server.simulator.issueQr({ amount_mode: 'closed', amount: '100.00', scenario })
  const { json } = await tenant.post('/v1/payouts', await tenant.order({ qr: { content } }))
  expect(json.status).toBe('processing')
  return json.id
}

/** Omar proposes the settlement, and Olivia approves it. */
async function settled(id: string, body: object): Promise<Json> {
  const proposed = await omar('POST', `/payouts/${id}/settle`, { ...settlement, ...body })
  expect(proposed.status).toBe(202)
  expect((await omar('POST', `/proposals/${proposed.json.id}/approve`)).code).toBe('OWN_PROPOSAL')
  return (await olivia(`/proposals/${proposed.json.id}/approve`)).json
}

async function adjusted(direction: 'in' | 'out', amount: string): Promise<Json> {
  const body = { direction, amount, reason: 'Difference with the network.' }
  const proposed = await omar('POST', `/tenants/${tenant.id}/adjustments`, body)
  return (await olivia(`/proposals/${proposed.json.id}/approve`)).json
}

async function expectBalanced(available: string): Promise<void> {
  const { json: wallet } = await tenant.get('/v1/wallets')
  expect(wallet).toMatchObject({ available, held: '0.000000' })
  const { json: books } = await tenant.get('/v1/wallets/reconciliation')
  expect(books).toMatchObject({ balanced: true, available, held: '0.000000' })
}

test('a wrong amount: settled as completed, and the difference adjusted', async () => {
  const id = await processing('wrong_amount')
  const queried = await query(id)
  expect(queried.json.calls[0].detail).toMatch(/^BOB 101.00, payment /)
  const paid = { paid_amount: '101.00', network_payment_id: undefined }
  expect(await settled(id, paid)).toMatchObject({ status: 'executed' })
  expect((await payoutOf(id)).status).toBe('completed')
  expect(await adjusted('out', '0.102033')).toMatchObject({ status: 'executed' })
  await expectBalanced('989.694614')
})

test('a payment that nobody can query: cancelled by evidence, and never before a question', async () => {
  const id = await processing('drop_then_nothing')
  await server.simulator.setFaults({ down: '503' })
  const body = { outcome: 'cancelled', paid_amount: undefined, network_payment_id: undefined }
  const early = await omar('POST', `/payouts/${id}/settle`, { ...settlement, ...body })
  expect(early.code).toBe('PAYOUT_STATUS_NOT_QUERIED')
  expect((await query(id)).json).toMatchObject({ payout: { status: 'processing' }, calls: [{ answer: 'unknown' }] })
  expect(await settled(id, body)).toMatchObject({ status: 'executed' })
  expect(await payoutOf(id)).toMatchObject({ status: 'cancelled' })
  await expectBalanced('1000.000000')
})

test('a worker that settles between proposal and approval: the proposal fails, and one event is sent', async () => {
  const id = await processing('pay_then_drop')
  await server.simulator.setFaults({ down: '503' })
  await query(id)
  const body = { ...settlement, outcome: 'failed', paid_amount: undefined }
  const proposed = await omar('POST', `/payouts/${id}/settle`, body)
  await server.simulator.clearFaults()
  await server.stores.payouts.hint(id)
  await server.workUntil(async () => (await payoutOf(id)).status === 'completed')
  const { json } = await olivia(`/proposals/${proposed.json.id}/approve`)
  expect(json).toMatchObject({ status: 'failed', failure: 'PAYOUT_ALREADY_ENDED' })
  await expectBalanced('989.796647')
})
