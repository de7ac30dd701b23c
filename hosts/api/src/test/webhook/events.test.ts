import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant
const payouts: Json[] = []
let deposit: Json

beforeAll(async () => {
  tenant = await api.tenant()
  const otherTenant = await api.tenant()
  await tenant.get('/v1/wallets')
  for (const scenario of ['paid', 'refused', 'paid', 'no_liquidity']) {
    api.clock.step(1_000)
    payouts.push((await tenant.post('/v1/payouts', await tenant.order({}, { scenario }))).json)
  }
  api.clock.step(1_000)
  const make = depositMaker(api.stores, api.clock.now)
  const { id } = await make({ tenantId: tenant.id, value: 5_000_000n })
  deposit = (await tenant.get(`/v1/deposits/${id}`)).json
  await otherTenant.post('/v1/payouts', await otherTenant.order())
})

const events = async (search = ''): Promise<Json[]> => {
  const reply = await tenant.get(`/v1/events?${search}`)
  expect(reply.status, search).toBe(200)
  return reply.json.data
}
const typesOf = (list: Json[]): string[] => list.map(({ type }) => type)

test('spec §6 — every event is listed, newest first, also without an endpoint', async () => {
  const types = typesOf(await events())
  // These two share an instant, so that ids order them.
  expect(types.slice(0, 2).toSorted()).toEqual(['deposit.credited', 'deposit.pending'])
  expect(types.slice(2)).toEqual(['payout.cancelled', 'payout.completed', 'payout.failed', 'payout.completed'])
})

test('spec §6 Envelope — exactly these members, and data as GET returned it', async () => {
  const [credited] = await events('type=deposit.credited')
  expect(Object.keys(credited)).toEqual(['id', 'type', 'event_version', 'occurred_at', 'recorded_at', 'data'])
  expect(credited.data).toEqual(deposit)
  const completed = await events('type=payout.completed')
  expect(completed.map(({ data }) => data)).toEqual([payouts[2], payouts[0]])
  for (const event of await events())
    expect(event).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      event_version: 1,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
})

test('GET /v1/events/{id}: the delivered bytes, as in the list', async () => {
  const page = await (await fetch(`${api.url}/v1/events`, { headers: { 'X-API-Key': tenant.key } })).text()
  for (const { id } of await events()) {
    const stored = await api.stores.events.get(tenant.id, id)
    const response = await fetch(`${api.url}/v1/events/${id.toUpperCase()}`, { headers: { 'X-API-Key': tenant.key } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes).toEqual(Uint8Array.from(stored?.body ?? []))
    expect(page).toContain(Buffer.from(bytes).toString())
  }
})

test.each([
  ['payout.completed', 2],
  ['payout.failed', 1],
  ['payout.cancelled', 1],
  ['deposit.pending', 1],
  ['deposit.credited', 1],
  ['deposit.in_review', 0],
])('type=%s finds %i', async (type, count) => {
  const found = await events(`type=${type}`)
  expect(typesOf(found)).toEqual(Array.from({ length: count }, () => type))
})
