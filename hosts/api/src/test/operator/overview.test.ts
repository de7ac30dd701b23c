import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'
import { sendRequest, type Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant

beforeEach(async () => {
  api = await testApi()
  tenant = await api.tenant()
})
afterEach(() => api.stop())

const read = async (path: string): Promise<Json> =>
  (await sendRequest(`${api.operatorUrl}/operator/v1${path}`, 'GET', { token: 'viewers' })).json

test('lists the wallets of all tenants, page by page', async () => {
  api.clock.step(1_000)
  const other = await api.tenant({ funds: 0n })
  const first = await read('/wallets?limit=1')
  expect(first.data).toMatchObject([
    { tenant_id: other.id, total: '0.000000', newest_entry_at: null },
  ])
  const rest = await read(`/wallets?limit=1&cursor=${first.next_cursor}`)
  expect(rest).toMatchObject({
    data: [{ tenant_id: tenant.id, available: '1000.000000', held: '0.000000' }],
    next_cursor: null,
  })
  expect((await read(`/wallets?tenant_id=${tenant.id}`)).data).toEqual(rest.data)
})

test('lists webhook endpoints with their backlog', async () => {
  const url = 'https://example.com/quipu'
  const { id } = (await tenant.post('/v1/webhooks', { url })).json
  await tenant.post('/v1/payouts', await tenant.order())
  expect((await read('/webhook-endpoints')).data).toMatchObject([
    {
      id,
      tenant_id: tenant.id,
      url,
      status: 'active',
      queued: 1,
      is_slow: false,
      failing_since: null,
    },
  ])
  await api.deliver()
  expect((await read('/webhook-endpoints?status=active')).data).toMatchObject([{ queued: 0 }])
  expect((await read('/webhook-endpoints?status=paused')).data).toEqual([])
})

test('finds a payout by its id and by the tenant’s own id, with its place', async () => {
  const order = await tenant.order()
  const { id } = (await tenant.post('/v1/payouts', order)).json
  const found = {
    type: 'payout',
    id,
    tenant_id: tenant.id,
    summary: order.transaction_id,
    url: `/operator/v1/payouts/${id}`,
  }
  for (const q of [id, order.transaction_id])
    expect((await read(`/search?q=${q}`)).data).toEqual([found])
  expect((await read(`/search?q=${order.quote_id}`)).data).toMatchObject([
    { type: 'quote', url: null },
  ])
  expect((await read('/search?q=nothing')).data).toEqual([])
  expect((await read('/search')).error.details).toEqual([
    { field: 'q', message: expect.stringContaining('is required') },
  ])
})
