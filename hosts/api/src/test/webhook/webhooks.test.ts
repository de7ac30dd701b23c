import { beforeEach, describe, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Json, Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
let otherTenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
  otherTenant = await api.tenant({ funds: 0n })
})

const path = '/v1/webhooks'
const url = 'https://example.com/quipu'
const everyType = ['*']
const outcome = ({ status, code }: Reply) => [status, code]
const fieldsOf = ({ json }: Reply): string[] => json.error.details.map(({ field }: { field: string }) => field)

async function create(over: object = {}, by = tenant): Promise<Json> {
  const reply = await by.post(path, { url, ...over })
  expect(reply.status).toBe(201)
  return reply.json
}

describe('POST /v1/webhooks', () => {
  test('spec §4 — registers an endpoint by URL and returns its secret: 201 with exactly these members', async () => {
    const endpoint = await create()
    expect(Object.keys(endpoint)).toEqual([
      'id',
      'url',
      'events',
      'description',
      'status',
      'consecutive_exhausted',
      'paused_at',
      'paused_by',
      'secrets',
      'created_at',
      'updated_at',
      'secret',
    ])
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^we_[0-9A-HJKMNP-TV-Z]{26}$/),
      url,
      events: everyType,
      description: null,
      status: 'active',
      consecutive_exhausted: 0,
      paused_at: null,
      paused_by: null,
      secrets: [{ last_four: endpoint.secret.slice(-4), expires_at: null }],
      created_at: '2026-03-02T12:00:00.000Z',
      updated_at: '2026-03-02T12:00:00.000Z',
      secret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/),
    })
  })

  test('the secret is stored encrypted, and is in no other answer and not in the log', async () => {
    const { id, secret } = await create()
    const stored = await api.stores.webhooks.get(tenant.id, id)
    expect(JSON.stringify(stored)).not.toContain(secret)
    for (const at of [path, `${path}/${id}`])
      expect(JSON.stringify((await tenant.get(at)).json)).not.toMatch(/whsec_|"secret"/)
    await tenant.patch(`${path}/${id}`, { description: 'x' })
    await tenant.post(`${path}/${id}/test`, undefined)
    expect(JSON.stringify(api.lines())).not.toContain('whsec_')
  })

  test('webhook.test may be listed; test events are sent in any case', async () => {
    const events = ['payout.failed', 'webhook.test']
    expect(await create({ events })).toMatchObject({ events: ['payout.failed'] })
  })

  test('events read back as they were written, also when only webhook.test is chosen', async () => {
    const { id, events } = await create({ events: ['webhook.test'] })
    expect(events).toEqual(['webhook.test'])
    const read = (await tenant.get(`${path}/${id}`)).json
    expect(read.events).toEqual(['webhook.test'])
    const written = await tenant.patch(`${path}/${id}`, { events: read.events })
    expect([written.status, written.json.events]).toEqual([200, ['webhook.test']])
  })

  test('a URL that is not allowed: 400 names url, with the reason', async () => {
    api.webhooks.checkUrl = async (checked) =>
      checked === url ? 'must not lead to a private or reserved address' : null
    const reply = await tenant.post(path, { url })
    expect(outcome(reply)).toEqual([400, 'VALIDATION_FAILED'])
    expect(reply.json.error.details).toEqual([
      { field: 'url', message: 'must not lead to a private or reserved address' },
    ])
    expect(reply.json.error.message).toContain('url must not lead to')
    expect((await tenant.get(path)).json.data).toEqual([])
  })
})

describe('GET /v1/webhooks', () => {
  test('newest first, in pages, without secrets and queues', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      if (i % 2 === 0) api.clock.step(1_000) // Two share each instant.
      ids.push((await create()).id)
    }
    await create({}, otherTenant)
    const newest = ids.toSorted().toReversed()
    const first = (await tenant.get(`${path}?limit=3`)).json
    const second = (await tenant.get(`${path}?limit=3&cursor=${first.next_cursor}`)).json
    const listed: Json[] = [...first.data, ...second.data]
    expect(listed.map(({ id }) => id)).toEqual(newest)
    expect(second.next_cursor).toBeNull()
    for (const endpoint of listed) {
      const { queued, ...single } = (await tenant.get(`${path}/${endpoint.id}`)).json
      expect(queued).toBe(0)
      expect(single).toEqual(endpoint)
    }
  })
})

describe('PATCH /v1/webhooks/{id}', () => {
  test('changes the sent members only', async () => {
    const { secret: _, ...made } = await create({ events: ['payout.failed'], description: 'old' })
    api.clock.step(1_000)
    const moved = await tenant.patch(`${path}/${made.id}`, { url: 'https://example.com/v2' })
    const updated_at = '2026-03-02T12:00:01.000Z'
    expect(moved.status).toBe(200)
    expect(moved.json).toEqual({ ...made, url: 'https://example.com/v2', updated_at })
    const opened = await tenant.patch(`${path}/${made.id}`, { events: ['*'], description: '' })
    expect(opened.json).toMatchObject({ events: everyType, description: null })
    const { events } = (await tenant.get(`${path}/${made.id}`)).json
    const sentBack = await tenant.patch(`${path}/${made.id}`, { events, url: null })
    expect(sentBack.json).toMatchObject({ events: everyType, url: 'https://example.com/v2' })
    const chosen = await tenant.patch(`${path}/${made.id}`, { events: ['deposit.credited'] })
    expect(chosen.json).toMatchObject({ events: ['deposit.credited'], description: null })
    expect((await tenant.get(`${path}/${made.id}`)).json).toMatchObject(chosen.json)
  })

  test('the new URL is checked like the first one', async () => {
    const { id } = await create()
    api.webhooks.checkUrl = async () => 'must begin with https://'
    const reply = await tenant.patch(`${path}/${id}`, { url: 'http://example.com' })
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['url']])
    expect((await tenant.patch(`${path}/${id}`, { description: 'x' })).status).toBe(200)
    expect((await tenant.get(`${path}/${id}`)).json).toMatchObject({ url, description: 'x' })
  })
})

describe('DELETE /v1/webhooks/{id}', () => {
  test('204, and the endpoint is gone', async () => {
    const { id } = await create()
    const reply = await tenant.remove(`${path}/${id}`)
    expect([reply.status, reply.json]).toEqual([204, undefined])
    expect(outcome(await tenant.get(`${path}/${id}`))).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    expect(outcome(await tenant.remove(`${path}/${id}`))).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    expect((await tenant.get(path)).json.data).toEqual([])
  })
})

test('without WEBHOOK_SECRET_KEY there are no endpoints; events are recorded all the same', async () => {
  const without = await testApi({}, {})
  const by = await without.tenant()
  for (const reply of [await by.get(path), await by.post(path, { url })])
    expect(outcome(reply)).toEqual([404, 'NOT_FOUND'])
  await by.post('/v1/payouts', await by.order())
  expect((await by.get('/v1/events')).json.data).toHaveLength(1)
  await without.stop()
})
