import { auditEntries } from '@quipu/contracts'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Json, type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { failed } from '../harness/webhooks.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
let id: string
beforeEach(async () => {
  tenant = await api.tenant()
  id = (await tenant.post('/v1/webhooks', { url: 'https://example.com/quipu' })).json.id
})

const reason = 'The owner of its host asks us to stop.'
const at = '2026-03-02T12:00:00.000Z'
const outcome = ({ status, code }: Reply) => [status, code]
const as = (token: string, path: string, body?: unknown) =>
  sendRequest(`${api.operatorUrl}/operator/v1/webhook-endpoints/${path}`, 'POST', { token, body })
const control = (action: string, body?: unknown) => as('operators', `${id}/${action}`, body)
const pay = async (): Promise<Json> => (await tenant.post('/v1/payouts', await tenant.order())).json
const shown = async (): Promise<Json> => (await tenant.get(`/v1/webhooks/${id}`)).json
const deliveries = async (): Promise<Json[]> => (await tenant.get(`/v1/webhooks/${id}/deliveries`)).json.data
const auditOf = () => auditEntries(api.stores.audit, { subject: id, limit: 20 })
const received = () => api.webhooks.sent.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data.id)

test('a paused endpoint receives nothing; resumed, it receives every event once, in order', async () => {
  const paused = await control('pause', { reason })
  const before = await shown()
  expect(before).toMatchObject({ status: 'paused', paused_at: at, paused_by: 'operator' })
  expect(JSON.stringify(before)).not.toMatch(/omar|host asks/)
  const { queued: _, ...members } = before
  expect([paused.status, paused.json]).toEqual([
    200,
    { ...members, tenant_id: tenant.id, operator_pause: { by: 'omar', at, reason } },
  ])
  const payouts: string[] = []
  for (let i = 0; i < 3; i++) {
    payouts.push((await pay()).id)
    api.clock.step(1)
  }
  await api.deliver()
  api.clock.step(3_600_000)
  await api.deliver()
  expect(received()).toEqual([])
  expect(await shown()).toMatchObject({ queued: 3 })

  const resumed = await control('resume')
  expect(resumed.status).toBe(200)
  expect(resumed.json).toMatchObject({
    id,
    tenant_id: tenant.id,
    status: 'active',
    paused_by: null,
    operator_pause: null,
    requeued: 3,
    redelivered: 0,
  })
  api.clock.step(1_000)
  await api.deliver()
  expect(received()).toEqual(payouts)
  expect(await auditOf()).toMatchObject([
    { action: 'webhook.resume', actor: 'omar', tenantId: tenant.id, after: { status: 'active' } },
    {
      action: 'webhook.pause',
      actor: 'omar',
      tenantId: tenant.id,
      before: { status: 'active' },
      after: { status: 'paused', reason },
    },
  ])
})

test('a viewer reads an endpoint of any tenant, and its deliveries with each answer', async () => {
  const read = (path: string) =>
    sendRequest(`${api.operatorUrl}/operator/v1/webhook-endpoints/${path}`, 'GET', { token: 'viewers' })
  await pay()
  api.webhooks.answer = async () => failed
  await api.deliver()
  const { queued, ...members } = await shown()
  const endpoint = { ...members, tenant_id: tenant.id, operator_pause: null }
  const failing = { queued, oldest_queued_at: at, is_slow: true, failing_since: at }
  expect((await read(id)).json).toEqual({ ...endpoint, ...failing })
  const list = `../webhook-deliveries?endpoint_id=${id}`
  const ofTenant = (await deliveries()).map((each) => ({ ...each, tenant_id: tenant.id }))
  expect((await read(list)).json).toEqual({ data: ofTenant, next_cursor: null })
  expect((await read(list)).json.data).toMatchObject([
    { status: 'pending', attempts: [{ status_code: 503, response_excerpt: 'down' }] },
  ])
  expect((await read(`${list}&status=held`)).json.data).toEqual([])
  expect(outcome(await read(`${list}&status=lost`))).toEqual([400, 'VALIDATION_FAILED'])
})
