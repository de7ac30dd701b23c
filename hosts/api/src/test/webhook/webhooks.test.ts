import { beforeEach, describe, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Json, Reply } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant({ funds: 0n })
})

const path = '/v1/webhooks'
const url = 'https://example.com/quipu'
const outcome = ({ status, code }: Reply) => [status, code]

async function create(over: object = {}, by = tenant): Promise<Json> {
  const reply = await by.post(path, { url, ...over })
  expect(reply.status).toBe(201)
  return reply.json
}

describe('POST /v1/webhooks', () => {
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

  test('events read back as they were written, also when only webhook.test is chosen', async () => {
    const { id, events } = await create({ events: ['webhook.test'] })
    expect(events).toEqual(['webhook.test'])
    const read = (await tenant.get(`${path}/${id}`)).json
    expect(read.events).toEqual(['webhook.test'])
    const written = await tenant.patch(`${path}/${id}`, { events: read.events })
    expect([written.status, written.json.events]).toEqual([200, ['webhook.test']])
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
