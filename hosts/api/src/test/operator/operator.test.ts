import { auditEntries } from '@quipu/contracts'
import { Unavailable } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { operatorToken } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { sendRequest, type Json, type Reply } from '../harness/http-client.fixture.ts'

const api = useTestApi('each')

const tenants = '/operator/v1/tenants'
const contact = { name: 'Ana Quispe', email: 'ana@example.com' }
const ejemplo = { legal_name: 'Ejemplo S.R.L.', technical_contact: contact }

const create = async (more = {}): Promise<Json> => (await api.operator('POST', tenants, { ...ejemplo, ...more })).json
const as = (token: string | undefined, method: string, path: string, body?: unknown) =>
  sendRequest(api.operatorUrl + path, method, { ...(token !== undefined && { token }), body })
const outcome = ({ status, code }: Reply) => [status, code]
const audit = () => auditEntries(api.stores.audit, { limit: 100 })

test('a tenant is created once for an Idempotency-Key; another body or path with it is refused', async () => {
  const send = (body: object, token = operatorToken) =>
    sendRequest(api.operatorUrl + tenants, 'POST', { token, body, headers: { 'Idempotency-Key': 'k' } })
  const first = await send(ejemplo)
  expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([201, null])
  await api.operator('POST', `${tenants}/${first.json.id}/suspend`, { reason: 'a drill' })
  const again = await send(ejemplo)
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
  expect(again.json).toEqual({
    ...first.json,
    status: 'suspended',
    suspension: expect.objectContaining({ cause: 'other' }),
  })
  const other = await send({ ...ejemplo, legal_name: 'Otro S.R.L.' })
  expect(outcome(other)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  expect((await send(ejemplo, 'operators')).json.id).not.toBe(first.json.id)
  expect((await api.operator('GET', tenants)).json.data).toHaveLength(2)
})

test('spec §5 — a key is shown once, kept as a hash, listed by its last four and revoked', async () => {
  const { id } = await create()
  const wanted = { name: 'caja', scopes: ['payouts:write'], expires_at: '2027-01-01T00:00:00-04:00' }
  const issued = await api.operator('POST', `${tenants}/${id}/api-keys`, wanted)
  expect(issued.status).toBe(201)
  const { key, proposal_id, ...record } = issued.json
  expect([key, proposal_id]).toEqual([expect.stringMatching(/^qpu_test_[0-9a-f]{40}$/), null])
  expect(record).toEqual({
    id: expect.stringMatching(/^key_/),
    tenant_id: id,
    name: 'caja',
    prefix: 'qpu_test_',
    last_four: key.slice(-4),
    scopes: ['payouts:write'],
    created_at: '2026-03-02T12:00:00.000Z',
    activated_at: '2026-03-02T12:00:00.000Z',
    last_used_at: null,
    revoked_at: null,
    replaces: null,
    allowed_addresses: null,
    expires_at: '2027-01-01T04:00:00.000Z',
  })
  const list = await api.operator('GET', `${tenants}/${id}/api-keys`)
  expect(list.json).toEqual({ data: [record], next_cursor: null })

  for (const status of [204, 204]) {
    const revoked = await api.operator('DELETE', `/operator/v1/api-keys/${record.id}`)
    expect([revoked.status, revoked.json]).toEqual([status, undefined])
  }
  const after = await api.operator('GET', `${tenants}/${id}/api-keys`)
  expect(after.json.data[0].revoked_at).toBe('2026-03-02T12:00:00.000Z')
  const actions = (await audit()).map(({ action }) => action)
  expect(actions).toEqual(['api_key.revoke', 'api_key.issue', 'tenant.create'])
  expect(JSON.stringify([await audit(), api.lines()])).not.toContain(key)
})

test('a missing or unknown token is a 401, and so is a tenant’s key', async () => {
  const tenant = await api.tenant()
  for (const token of [undefined, 'wrong', tenant.key]) {
    const reply = await as(token, 'GET', tenants)
    expect(outcome(reply)).toEqual([401, 'AUTHENTICATION_FAILED'])
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  }
  const basic = await sendRequest(api.operatorUrl + tenants, 'GET', {
    headers: { Authorization: `Basic ${operatorToken}` },
  })
  expect(basic.status).toBe(401)
})

test('the public listener has no operator paths, and the operator listener no public ones', async () => {
  const tenant = await api.tenant()
  const headers = { Authorization: `Bearer ${operatorToken}` }
  expect(outcome(await tenant.get(tenants, { headers }))).toEqual([404, 'NOT_FOUND'])
  expect((await api.request('GET', tenants, { headers })).status).toBe(401)
  const payouts = await sendRequest(`${api.operatorUrl}/v1/payouts`, 'GET', { token: operatorToken, key: tenant.key })
  expect(payouts.status).toBe(404)
})

test('the listener keeps the conventions: 405 with Allow, request ids, 404, 503', async () => {
  const wrong = await api.operator('PUT', tenants, {})
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  const reply = await sendRequest(`${api.operatorUrl}/operator/v1/nothing`, 'GET', {
    token: operatorToken,
    headers: { 'X-Request-Id': 'mine' },
  })
  expect([reply.code, reply.json.error.request_id]).toEqual(['NOT_FOUND', 'mine'])
  expect((await sendRequest(`${api.operatorUrl}/readyz`, 'GET')).status).toBe(200)
  api.stores.tenants.list = async () => {
    throw new Unavailable('store', 'gone')
  }
  expect(outcome(await api.operator('GET', tenants))).toEqual([503, 'SERVICE_UNAVAILABLE'])
})

test('a request’s log line names the operator, never the token', async () => {
  await create()
  expect(api.lines().at(-1)).toMatchObject({ operator: 'olivia', status: 201, path: tenants })
  const lines = JSON.stringify(api.lines())
  expect(lines).not.toContain(operatorToken)
  expect(lines).not.toContain(sha256(operatorToken))
})
