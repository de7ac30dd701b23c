import { sha256 } from '@quipu/core/adapter'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant
beforeEach(async () => {
  api = await testApi() // At noon of 2 March 2026.
  tenant = await api.tenant()
})
afterEach(() => api.stop())

/** The requests of a tenant with this query, once there are as many. */
async function logged(query: string, count: number, by = tenant): Promise<Json[]> {
  const read = async () => {
    await api.flush()
    return (await by.get(`/v1/requests?${query}`)).json.data as Json[]
  }
  await expect.poll(async () => (await read()).length).toBe(count)
  return read()
}

test('a tenant reads how each of its requests ended, with the digests of the bodies and never their text', async () => {
  const body = { target: { currency: 'BOB', amount: '100.00' }, description: 'unknown' }
  const refused = await tenant.post('/v1/quotes?a=secret', body, { headers: { 'X-Request-Id': 'mine' } })
  expect(refused.status).toBe(400)
  const [row] = await logged('path=/v1/quotes', 1)
  expect(row).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    request_id: 'mine',
    api_key_id: tenant.keyId,
    method: 'POST',
    path: '/v1/quotes',
    status: 400,
    code: 'VALIDATION_FAILED',
    address: expect.stringMatching(/127\.0\.0\.1$/),
    duration_ms: expect.any(Number),
    body_sha256: sha256(JSON.stringify(body)),
    answer_sha256: sha256(JSON.stringify(refused.json)),
    created_at: expect.stringMatching(/^2026-03-02T1[12]:/),
  })
  await tenant.get('/v1/wallets')
  expect(await logged('path=/v1/wallets&status=2xx', 1)).toMatchObject([{ body_sha256: null, status: 200 }])
  expect(await logged('status=4xx', 1)).toEqual([row])
  expect(await logged(`api_key_id=${tenant.keyId}&path=/v1/quotes`, 1)).toEqual([row])
  expect(await logged('to=2026-03-02T11:00:00Z', 0)).toEqual([])
})

test('requests of another tenant, of an unknown key and of operators are in no log', async () => {
  const other = await api.tenant()
  await other.get('/v1/wallets')
  await api.request('GET', '/v1/wallets', { key: 'qpu_test_unknown' })
  await logged('path=/v1/wallets', 1, other)
  expect(await logged('path=/v1/wallets', 0)).toEqual([])
  const key = other.keyId
  expect(await logged(`api_key_id=${key}`, 0)).toEqual([])
})
