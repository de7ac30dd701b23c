import { auditEntries } from '@quipu/contracts'
import { apiKeyScopes } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { base64Token, testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { sendRequest, type Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each', { ENVIRONMENT: 'production' })
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const outcome = ({ status, code }: Reply) => [status, code]
const as = (token: string, method: string, path: string, body?: unknown) =>
  sendRequest(api.operatorUrl + path, method, { token, body })
const approve = (id: string, token = base64Token) => as(token, 'POST', `/operator/v1/proposals/${id}/approve`)
const keysPath = () => `/operator/v1/tenants/${tenant.id}/api-keys`
const tenantPath = () => `/operator/v1/tenants/${tenant.id}`
const reason = 'They go live.'

test('a live key that pays is shown to its proposer, and works once another admin approves it', async () => {
  const request = { name: 'backend', scopes: apiKeyScopes }
  const missing = await api.operator('POST', keysPath(), request)
  expect(outcome(missing)).toEqual([400, 'VALIDATION_FAILED'])
  expect(missing.json.error.message).toBe('reason is required, as another admin has to approve this.')
  const issued = await api.operator('POST', keysPath(), { ...request, reason })
  expect(issued.status).toBe(202)
  const { key, id, proposal_id: proposal, activated_at } = issued.json
  expect([key.startsWith('qpu_live_'), activated_at]).toEqual([true, null])
  const wallet = () => api.request('GET', '/v1/wallets', { key })
  expect(outcome(await wallet())).toEqual([401, 'AUTHENTICATION_FAILED'])

  const shown = await api.operator('GET', `/operator/v1/proposals/${proposal}`)
  expect(shown.json).toMatchObject({
    action: 'issue_api_key',
    subject: id,
    tenant_id: tenant.id,
    status: 'open',
    reason,
    details: { name: 'backend', last_four: key.slice(-4), scopes: apiKeyScopes },
  })
  expect(JSON.stringify(shown.json)).not.toContain(key)
  expect(outcome(await approve(proposal, 'operators'))).toEqual([403, 'ROLE_REQUIRED'])
  expect(outcome(await api.operator('POST', `/operator/v1/proposals/${proposal}/approve`))).toEqual([
    403,
    'OWN_PROPOSAL',
  ])
  expect(outcome(await wallet())).toEqual([401, 'AUTHENTICATION_FAILED'])
  const approved = await approve(proposal)
  expect([approved.status, approved.json.status]).toEqual([200, 'executed'])
  expect((await wallet()).status).toBe(200)
  const [issue] = await auditEntries(api.stores.audit, { subject: id, limit: 1 })
  expect(issue).toMatchObject({ actor: 'olivia', after: { proposal_id: proposal } })
  expect(JSON.stringify([...(await auditEntries(api.stores.audit, { limit: 100 })), api.lines()])).not.toContain(key)
})

test.each([
  ['payment_cap_bob', '40000.00', '50000.00', '50000.01'],
  ['daily_limit_usdt', '100.000000', undefined, '100.000001'],
  ['daily_limit_usdt', '100.000000', undefined, null],
  ['daily_limit_count', 5, undefined, 6],
  ['daily_limit_count', 5, undefined, null],
])('%s is lowered to %j by one admin, and raised to %j; %j takes two', async (member, low, alone, above) => {
  const patch = (value: unknown, more: object = {}) => api.operator('PATCH', tenantPath(), { [member]: value, ...more })
  const current = async () => (await api.operator('GET', tenantPath())).json[member]
  for (const value of alone === undefined ? [low] : [low, alone]) {
    expect((await patch(value)).status).toBe(200)
    expect(await current()).toBe(value)
  }
  const before = await current()
  expect((await patch(above)).json.error.details).toEqual([
    { field: 'reason', message: 'is required, as another admin has to approve this' },
  ])
  expect((await patch(above, { reason, fee_bps: 1 })).json.error.details).toMatchObject([
    { field: 'body', message: expect.stringContaining('no members but limits') },
  ])
  const proposed = await patch(above, { reason })
  expect([proposed.status, proposed.json]).toMatchObject([
    202,
    { action: 'change_limits', subject: tenant.id, details: { [member]: above } },
  ])
  expect(await current()).toBe(before)
  expect((await approve(proposed.json.id)).json.status).toBe('executed')
  expect(await current()).toBe(above)
  const [entry] = await auditEntries(api.stores.audit, { subject: tenant.id, limit: 1 })
  expect(entry).toMatchObject({ actor: 'olivia', action: 'tenant.update', after: { proposal_id: proposed.json.id } })
})

test('settings decide up to which limits one admin suffices, in the sandbox too', async () => {
  for (const [env, cap, expected] of [
    [{ ENVIRONMENT: 'production', APPROVAL_LIMIT_CAP_BOB: '90000' }, '90000.00', 200],
    [{ ENVIRONMENT: 'production', APPROVAL_LIMIT_CAP_BOB: '90000' }, '90000.01', 202],
    [{}, '900000.00', 200],
    [{ APPROVAL_LIMIT_DAILY_USDT: '1' }, '900000.00', 202],
  ] as const) {
    const other = await testApi(env)
    const { id } = await other.tenant()
    const body = { payment_cap_bob: cap, reason }
    const reply = await other.operator('PATCH', `/operator/v1/tenants/${id}`, body)
    expect([env, reply.status]).toEqual([env, expected])
    await other.stop()
  }
})
