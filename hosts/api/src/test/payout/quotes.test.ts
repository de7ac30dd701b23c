import { quoteLifeSeconds, Unavailable } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

const boliviano = (amount: string): object => ({ target: { currency: 'BOB', amount } })

test('without a fresh rate: 503 RATE_UNAVAILABLE', async () => {
  api.rates.current = async () => {
    throw new Unavailable('rate_source', 'stale')
  }
  const reply = await tenant.post('/v1/quotes', boliviano('1'))
  expect([reply.status, reply.code]).toEqual([503, 'RATE_UNAVAILABLE'])
  expect(reply.headers.get('retry-after')).toBe('5')
})

test('a network outage or timeout: 503 NETWORK_UNAVAILABLE', async () => {
  const content = await tenant.qr()
  api.hooks.sending = async () => 'lost'
  const lost = await tenant.post('/v1/payouts/qr/resolve', { content })
  expect([lost.status, lost.code]).toEqual([503, 'NETWORK_UNAVAILABLE'])
  expect(lost.headers.get('retry-after')).toBe('1')
  const called = Promise.withResolvers<void>()
  api.hooks.sending = () => {
    called.resolve()
    return new Promise(() => undefined)
  }
  const late = tenant.post('/v1/payouts/qr/resolve', { content })
  await called.promise
  api.clock.step(20_000)
  expect((await late).code).toBe('NETWORK_UNAVAILABLE')
})

test('a quote of a test QR of scenario short_quote expires early, and another one later', async () => {
  const asked = { amount_mode: 'closed', amount: '25.00', scenario: 'short_quote' }
  const { content } = (await tenant.post('/v1/sandbox/qr-codes', asked)).json
  const { resolution_id } = (await tenant.post('/v1/payouts/qr/resolve', { content })).json
  const short = (await tenant.post('/v1/quotes', { resolution_id })).json
  const other = (await tenant.post('/v1/quotes', boliviano('25.00'))).json
  const statusOf = async ({ id }: { id: string }) => (await tenant.get(`/v1/quotes/${id}`)).json.status
  api.clock.step(quoteLifeSeconds.min * 1_000 - 1)
  expect(await statusOf(short)).toBe('open')
  api.clock.step(1)
  expect([await statusOf(short), await statusOf(other)]).toEqual(['expired', 'open'])
})

test('production has no sandbox paths and refuses sandbox QRs without reading them', async () => {
  const content = await tenant.qr()
  const live = await testApi({ ENVIRONMENT: 'production' })
  const owner = await live.tenant()
  expect(owner.key).toMatch(/^qpu_live_/)
  expect(tenant.key).toMatch(/^qpu_test_/)
  for (const path of ['/v1/sandbox/qr-codes', '/v1/sandbox/faucet']) {
    const reply = await owner.post(path, { amount_mode: 'open' })
    expect([reply.status, reply.code]).toEqual([404, 'NOT_FOUND'])
  }
  let questions = 0
  live.hooks.sending = async () => {
    questions += 1
    return 'arrives'
  }
  expect((await owner.post('/v1/payouts/qr/resolve', { content })).code).toBe('QR_REFUSED')
  const order = await owner.order({ qr: { content } })
  const { json } = await owner.post('/v1/payouts', order)
  expect(json).toMatchObject({ status: 'rejected', error: { code: 'QR_REFUSED' } })
  expect(questions).toBe(0)
  const document = await live.request('GET', '/v1/openapi.json')
  expect(Object.keys(document.json.paths).filter((path) => path.includes('sandbox'))).toEqual([])
  await live.stop()
})
