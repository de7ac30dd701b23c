import { auditEntries } from '@quipu/contracts'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { sendRequest, type Json, type Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const tenants = '/operator/v1/tenants'
const contact = { name: 'Ana Quispe', email: 'ana@example.com' }
const ejemplo = { legal_name: 'Ejemplo S.R.L.', technical_contact: contact }
const outcome = ({ status, code }: Reply) => [status, code]
const refused = [403, 'ROLE_REQUIRED']

const as = (token: string | undefined, method: string, path: string, body?: unknown) =>
  sendRequest(api.operatorUrl + path, method, { ...(token !== undefined && { token }), body })
const byOperator = (method: string, path: string, body?: unknown) => as('operators', method, path, body)
const auditOf = async (query: object = {}) => {
  await api.settled()
  return auditEntries(api.stores.audit, { limit: 100, ...query })
}

test('an operator token issues no key that can pay; an admin token does', async () => {
  const path = `${tenants}/${tenant.id}/api-keys`
  const key = { name: 'mine', scopes: ['payouts:read', 'payouts:write'] }
  const reply = await byOperator('POST', path, key)
  expect(outcome(reply)).toEqual(refused)
  expect(reply.json.error.message).toContain('admin')
  const { data } = (await byOperator('GET', path)).json
  expect(data.map(({ id }: Json) => id)).toEqual([tenant.keyId])
  const scopes = ['payouts:read', 'wallet:read', 'wallet:write', 'webhooks:read', 'webhooks:write']
  expect((await byOperator('POST', path, { ...key, scopes })).status).toBe(201)
  expect((await api.operator('POST', path, key)).status).toBe(201)
})

test.each([
  ['margin_bps', 1],
  ['fee_bps', 1],
  ['fee_fixed', '0.1'],
  ['payment_cap_bob', '900000.00'],
  ['daily_limit_usdt', '1.00'],
  ['daily_limit_count', 1],
])('an operator token sets no %s', async (member, value) => {
  const path = `${tenants}/${tenant.id}`
  const before = (await byOperator('GET', path)).json
  expect(outcome(await byOperator('PATCH', path, { [member]: value }))).toEqual(refused)
  const created = await byOperator('POST', tenants, { ...ejemplo, [member]: value })
  expect(outcome(created)).toEqual(refused)
  expect((await byOperator('GET', path)).json).toEqual(before)
  expect((await byOperator('GET', tenants)).json.data).toHaveLength(1)
  expect((await api.operator('PATCH', path, { [member]: value })).status).toBe(200)
})

test('an operator token corrects name and contact; a viewer does not', async () => {
  const path = `${tenants}/${tenant.id}`
  const technical_contact = { name: 'Luz Mamani', email: 'luz@example.com' }
  const change = { legal_name: 'Ejemplo S.A.', technical_contact }
  const reply = await byOperator('PATCH', path, change)
  expect([reply.status, reply.json]).toMatchObject([200, change])
  expect((await auditOf({ subject: tenant.id }))[0]).toMatchObject({
    action: 'tenant.update',
    before: { contact_email: expect.not.stringMatching('luz@example.com') },
    after: { legal_name: 'Ejemplo S.A.', contact_email: 'luz@example.com' },
  })
  expect(outcome(await as('viewers', 'PATCH', path, change))).toEqual(refused)
  expect(outcome(await byOperator('PATCH', path, { ...change, margin_bps: 1 }))).toEqual(refused)
})

test('an operator token creates a tenant at the default pricing, suspends, resumes and revokes', async () => {
  expect((await byOperator('POST', tenants, ejemplo)).status).toBe(201)
  for (const change of ['suspend', 'resume'])
    expect((await byOperator('POST', `${tenants}/${tenant.id}/${change}`, { reason: 'x' })).status).toBe(200)
  const key = `/operator/v1/api-keys/${tenant.keyId}`
  expect((await byOperator('DELETE', key)).status).toBe(204)
})

test('a body is validated before its role is checked', async () => {
  const path = `${tenants}/${tenant.id}/api-keys`
  const reply = await byOperator('POST', path, { scopes: ['payouts:write'] })
  expect(outcome(reply)).toEqual([400, 'VALIDATION_FAILED'])
})

test('every audit row names its tenant', async () => {
  const other = await api.tenant()
  const make = depositMaker(api.stores, api.clock.now)
  const inReview = () => make({ tenantId: tenant.id, value: 500_000n })
  const reason = { reason: 'The sender is known.' }
  await tenant.get('/v1/wallets')
  await api.operator('PATCH', `${tenants}/${tenant.id}`, { fee_bps: 1 })
  await api.operator('POST', `${tenants}/${tenant.id}/suspend`, { reason: 'a drill' })
  await api.operator('POST', `${tenants}/${tenant.id}/resume`, { reason: 'a drill' })
  await api.operator('DELETE', `/operator/v1/api-keys/${tenant.keyId}`)
  const deposits = '/operator/v1/deposits'
  for (const decision of ['credit', 'close']) {
    const path = `${deposits}/${(await inReview()).id}/${decision}`
    const proposed = await api.operator('POST', path, reason)
    await byOperator('POST', `/operator/v1/proposals/${proposed.json.id}/approve`)
  }
  await api.operator('POST', `${tenants}/${tenant.id}/top-up-addresses/rotate`)
  const rows = await auditOf({ tenantId: tenant.id })
  expect(rows.map(({ action }) => action).toReversed()).toEqual([
    'tenant.create',
    'api_key.issue',
    'proposal.open',
    'proposal.approve',
    'wallet.adjust',
    'tenant.update',
    'tenant.suspend',
    'tenant.resume',
    'api_key.revoke',
    'proposal.open',
    'proposal.approve',
    'deposit.credit',
    'proposal.open',
    'proposal.approve',
    'deposit.close',
    'top_up_address.rotate',
  ])
  expect(new Set(rows.map(({ tenantId }) => tenantId))).toEqual(new Set([tenant.id]))
  expect(await auditOf({ tenantId: other.id })).toHaveLength(5)
})

test('requests that a role does not allow are audited with the tenant', async () => {
  await tenant.get('/v1/wallets') // Creates the top-up address.
  const make = depositMaker(api.stores, api.clock.now)
  const { id } = await make({ tenantId: tenant.id, value: 500_000n })
  const payout = await tenant.post('/v1/payouts', await tenant.order())
  const endpoint = await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })
  const adjustment = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
  const proposal = await api.operator('POST', `${tenants}/${tenant.id}/adjustments`, adjustment)
  const attempts = [
    ['operators', 'PATCH', `${tenants}/${tenant.id}`, { fee_bps: 1 }],
    ['operators', 'POST', `${tenants}/${tenant.id}/api-keys`, { name: 'x', scopes: ['payouts:write'] }],
    ['viewers', 'DELETE', `/operator/v1/api-keys/${tenant.keyId}`, undefined],
    ['viewers', 'POST', `/operator/v1/deposits/${id}/credit`, { reason: 'x' }],
    ['viewers', 'POST', `/operator/v1/payouts/${payout.json.id}/query`, undefined],
    ['viewers', 'POST', `/operator/v1/webhook-endpoints/${endpoint.json.id}/pause`, { reason: 'x' }],
    ['viewers', 'POST', `/operator/v1/proposals/${proposal.json.id}/approve`, undefined],
  ] as const
  for (const [token, method, path, body] of attempts) {
    expect(outcome(await as(token, method, path, body))).toEqual(refused)
    const newest = async () => (await auditOf({ tenantId: tenant.id }))[0]
    await expect
      .poll(newest)
      .toEqual({
        actor: token === 'viewers' ? 'victor' : 'omar',
        tokenId: expect.stringMatching(/^opt_/),
        address: '127.0.0.1',
        session: null,
        action: 'operator.refuse',
        tenantId: tenant.id,
        subject: path.split('/')[4],
        at: api.clock.now(),
        before: null,
        after: { method, path },
      })
  }
  expect(outcome(await as('viewers', 'POST', tenants, ejemplo))).toEqual(refused)
  const newest = async () => (await auditOf())[0]
  await expect.poll(newest).toMatchObject({ actor: 'victor', tenantId: null, subject: tenants })
})

test('failed logins are audited per source address: the first at once, later ones once a minute with their count', async () => {
  const rows = async () => (await auditOf()).filter(({ action }) => action === 'operator.fail_login').toReversed()
  const login = (token: string | undefined) => as(token, 'GET', tenants)
  expect((await login('wrong')).status).toBe(401)
  const first = {
    actor: null,
    tokenId: null,
    address: null,
    session: null,
    action: 'operator.fail_login',
    tenantId: null,
    subject: '127.0.0.1',
    at: new Date('2026-03-02T12:00:00.000Z'),
    before: null,
    after: { failures: 1 },
  }
  expect(await rows()).toEqual([first])
  for (const token of ['wrong', 'other', undefined]) await login(token)
  expect((await login('operators')).status).toBe(200)
  expect(await rows()).toHaveLength(1)
  api.clock.step(60_000)
  const second = { ...first, at: new Date('2026-03-02T12:01:00.000Z'), after: { failures: 3 } }
  await expect.poll(rows).toEqual([first, second])
  api.clock.step(60_000)
  await new Promise((resolve) => setImmediate(resolve))
  api.clock.step(60_000)
  await login('wrong')
  const third = { ...first, at: new Date('2026-03-02T12:03:00.000Z') }
  expect(await rows()).toEqual([first, second, third])
  expect(JSON.stringify(await rows())).not.toContain('wrong')
})
