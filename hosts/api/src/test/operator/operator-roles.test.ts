import { addressDifference, auditEntries } from '@quipu/contracts'
import { systemIds } from '@quipu/core/system'
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

test('a body is validated before its role is checked', async () => {
  const path = `${tenants}/${tenant.id}/api-keys`
  const reply = await byOperator('POST', path, { scopes: ['payouts:write'] })
  expect(outcome(reply)).toEqual([400, 'VALIDATION_FAILED'])
})

test('requests that a role does not allow are audited with the tenant', async () => {
  await tenant.get('/v1/wallets') // Creates the top-up address.
  const make = depositMaker(api.stores, api.clock.now)
  const { id } = await make({ tenantId: tenant.id, value: 500_000n })
  const payout = await tenant.post('/v1/payouts', await tenant.order())
  const endpoint = await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })
  const adjustment = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
  const proposal = await api.operator('POST', `${tenants}/${tenant.id}/adjustments`, adjustment)
  const found = await addressDifference({ ids: systemIds, ...api.stores }, tenant.id)
  await api.stores.differences.record([found], api.clock.now())
  const attempts = [
    ['operators', 'PATCH', `${tenants}/${tenant.id}`, { fee_bps: 1 }],
    ['operators', 'POST', `${tenants}/${tenant.id}/api-keys`, { name: 'x', scopes: ['payouts:write'] }],
    ['viewers', 'DELETE', `/operator/v1/api-keys/${tenant.keyId}`, undefined],
    ['viewers', 'POST', `/operator/v1/deposits/${id}/credit`, { reason: 'x' }],
    ['viewers', 'POST', `/operator/v1/payouts/${payout.json.id}/query`, undefined],
    ['viewers', 'POST', `/operator/v1/webhook-endpoints/${endpoint.json.id}/pause`, { reason: 'x' }],
    ['viewers', 'POST', `/operator/v1/differences/${found.id}/close`, { reason: 'x' }],
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
