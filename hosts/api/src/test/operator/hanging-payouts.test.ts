import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'
import { hangingPayout, settlement, wronglyPaid } from '../harness/hanging-payout.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import { eventTypes, walletOf } from '../harness/payout-checks.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant
beforeEach(async () => {
  api = await testApi()
  tenant = await api.tenant()
})
afterEach(() => api.stop())

const outcome = ({ status, code }: Reply) => [status, code]
const free = { held: '0.000000' }

/** Olivia is an admin, Omar an operator. */
const by =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendRequest(api.operatorUrl + path, method, { token, body })
const omar = by('operators')
const query = (id: string) => omar('POST', `/operator/v1/payouts/${id}/query`)
const auditOf = async (subject: string) =>
  (await api.stores.audit.list({ subject, limit: 10 })).map(({ action }) => action)

const olivia = (method: string, path: string, body?: unknown) => api.operator(method, path, body)
const settle = (id: string, body: unknown = settlement, as = omar) =>
  as('POST', `/operator/v1/payouts/${id}/settle`, body)
const approve = (id: string, as = olivia) => as('POST', `/operator/v1/proposals/${id}/approve`)
const drift = async (): Promise<string> => (await tenant.get('/v1/wallets/reconciliation')).json.balanced

test('a wrong amount is ended by two people, whatever the approval limit, and the wallet balances', async () => {
  await api.stop()
  api = await testApi({ APPROVAL_LIMIT_USDT: '1000000' })
  tenant = await api.tenant()
  const { id } = await wronglyPaid(api, tenant)
  expect(outcome(await settle(id))).toEqual([409, 'PAYOUT_STATUS_NOT_QUERIED'])
  await query(id)
  const proposed = await settle(id)
  expect(proposed.status).toBe(202)
  expect(proposed.json).toMatchObject({
    action: 'settle_payout',
    subject: id,
    status: 'open',
    evidence: settlement.evidence,
    details: { outcome: 'completed', paid_amount: '99.00', network_payment_id: 'np-1' },
  })
  expect(outcome(await approve(proposed.json.id, omar))).toEqual([403, 'OWN_PROPOSAL'])
  expect((await tenant.get(`/v1/payouts/${id}`)).json.status).toBe('processing')
  const approved = await approve(proposed.json.id)
  expect(approved.json).toMatchObject({ status: 'executed', approved_by: 'olivia' })
  expect((await tenant.get(`/v1/payouts/${id}`)).json).toMatchObject({
    status: 'completed',
    source: { amount: '10.203353' },
  })
  expect(await walletOf(tenant)).toMatchObject(free)
  expect(await drift()).toBe(true)
  expect(await eventTypes(api, tenant, id)).toEqual(['payout.completed'])
  expect(await auditOf(id)).toEqual(['payout.settle', 'payout.query'])
  expect((await approve(proposed.json.id)).json).toEqual(approved.json)
  expect(outcome(await settle(id))).toEqual([409, 'PAYOUT_ALREADY_ENDED'])
})

test.each([
  ['another amount', { paid_amount: '9900.00' }],
  ['another payment', { network_payment_id: 'QN1' }],
  ['no payment', { outcome: 'failed', paid_amount: undefined, network_payment_id: undefined }],
])('%s than the network answered is refused unless it is said', async (_name, change) => {
  const { id } = await wronglyPaid(api, tenant)
  await query(id)
  const refused = await settle(id, { ...settlement, ...change })
  expect(outcome(refused)).toEqual([409, 'SETTLEMENT_CONTRADICTS_NETWORK'])
  const said = await settle(id, { ...settlement, ...change, contradicts_network: true })
  expect(said.status).toBe(202)
  const { json } = await olivia('GET', `/operator/v1/proposals/${said.json.id}`)
  expect(json.details).toMatchObject({
    ordered_amount: '100.00',
    network_paid: 'BOB 99.00, payment np-1',
    contradicts_network: true,
  })
  expect((await approve(said.json.id)).json.status).toBe('executed')
})

test('an answer of another payment after the proposal: it fails, and nothing moves', async () => {
  const { id } = await hangingPayout(api, tenant, 'sending')
  api.hooks.sending = async () => 'lost'
  await query(id)
  const { json } = await settle(id, { ...settlement, network_payment_id: 'QN7' })
  const call = { id: 'nwc_1', kind: 'status', answer: 'paid', detail: 'BOB 98.00, payment np-8' }
  const about = { queriedBy: 'worker', actor: null, createdAt: api.clock.now(), durationMs: 1 }
  const ref = { tenantId: tenant.id, payoutId: id }
  await api.stores.networkCalls.record(ref, [{ ...call, ...about } as never])
  expect((await approve(json.id)).json).toMatchObject({ status: 'failed', failure: 'CONTRADICTS_NETWORK' })
  expect((await tenant.get(`/v1/payouts/${id}`)).json.status).toBe('processing')
})

test('a payout that the network settles before the approval: the proposal fails, and nothing moves', async () => {
  const { id } = await wronglyPaid(api, tenant)
  await query(id)
  const lost = { outcome: 'failed', paid_amount: undefined, contradicts_network: true }
  const { json } = await settle(id, { ...settlement, ...lost })
  expect(json.details).toMatchObject({ outcome: 'failed', paid_amount: null })
  const other = await settle(id)
  expect((await approve(other.json.id)).json.status).toBe('executed')
  const before = await walletOf(tenant)
  expect((await approve(json.id)).json).toMatchObject({ status: 'failed', failure: 'PAYOUT_ALREADY_ENDED' })
  expect(await walletOf(tenant)).toEqual(before)
})
