import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { sendRequest, type Json } from '../harness/http-client.fixture.ts'
import { viewedRecords } from '../harness/viewed-records.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const read = async (path: string): Promise<Json> =>
  (await sendRequest(`${api.operatorUrl}/operator/v1${path}`, 'GET', { token: 'viewers' })).json

test('lists the wallets of all tenants, page by page', async () => {
  api.clock.step(1_000)
  const other = await api.tenant({ funds: 0n })
  const first = await read('/wallets?limit=1')
  expect(first.data).toMatchObject([{ tenant_id: other.id, total: '0.000000', newest_entry_at: null }])
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
    { id, tenant_id: tenant.id, url, status: 'active', queued: 1, is_slow: false, failing_since: null },
  ])
  await api.deliver()
  expect((await read('/webhook-endpoints?status=active')).data).toMatchObject([{ queued: 0 }])
  expect((await read('/webhook-endpoints?status=paused')).data).toEqual([])
})

test('finds a tenant by a part of its name or of its contact, whatever its case and accents', async () => {
  const { id, legal_name: name } = await read(`/tenants/${tenant.id}`)
  const found = { type: 'tenant', id, tenant_id: id, summary: name }
  for (const q of ['ejemplo', 'EJÉMPLO s.r.l', 'ana@example'])
    expect((await read(`/search?q=${q}`)).data).toMatchObject([found])
  expect((await read('/tenants?text=ejemplo&limit=1')).data).toMatchObject([{ id }])
  expect((await read('/tenants?text=panaderia')).data).toEqual([])
})

test('each record that a search finds is at its place', async () => {
  const records = await viewedRecords(api, tenant)
  for (const id of [tenant.id, ...Object.values(records)]) {
    const { data } = await read(`/search?q=${id}`)
    expect(data, id).toHaveLength(1)
    const place = data[0].url.replace('/operator/v1', '')
    expect(await read(place), place).toMatchObject({ id })
  }
})

test('lists events, deliveries and faucet sends by what they belong to', async () => {
  const { event, endpoint, delivery, send } = await viewedRecords(api, tenant)
  const [shown] = (await read('/events?type=payout.completed')).data
  expect(shown).toMatchObject({ id: event, tenant_id: tenant.id, type: 'payout.completed' })
  expect((await read(`/events?subject_id=${shown.subject_id}`)).data).toEqual([shown])
  expect((await read(`/events?type=payout.failed`)).data).toEqual([])
  const { body } = await read(`/events/${event}`)
  expect(body).toEqual((await tenant.get(`/v1/events/${event}`)).json)
  for (const scope of [`tenant_id=${tenant.id}`, `endpoint_id=${endpoint}`, `event_id=${event}`]) {
    const page = await read(`/webhook-deliveries?${scope}`)
    expect(page.data).toMatchObject([{ id: delivery, tenant_id: tenant.id, status: 'pending' }])
    expect((await read(`/webhook-deliveries?${scope}&status=exhausted`)).data).toEqual([])
  }
  expect((await read('/webhook-deliveries?status=exhausted')).error.details).toEqual([
    { field: 'tenant_id', message: 'is required, or endpoint_id or event_id' },
  ])
  expect((await read(`/faucet-sends?tenant_id=${tenant.id}`)).data).toMatchObject([{ id: send }])
  expect((await read('/faucet-sends?status=failed')).data).toEqual([])
})
