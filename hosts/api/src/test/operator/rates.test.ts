import { Unavailable, rate } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant
beforeEach(async () => {
  tenant = await api.tenant()
})

const rates = '/operator/v1/rates'
const reason = 'The sources are wrong.'
const by =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendRequest(api.operatorUrl + path, method, { token, body })
const [omar, victor] = [by('operators'), by('viewers')]
const metrics = async (): Promise<string> => {
  const headers = { Authorization: 'Bearer viewers' }
  return (await fetch(`${api.operatorUrl}/metrics`, { headers })).text()
}
const newQuote = () => tenant.post('/v1/quotes', { target: { currency: 'BOB', amount: '100.00' } })

test('a viewer reads the rate that quotes use, and its source', async () => {
  const { status, json } = await victor('GET', rates)
  expect(status).toBe(200)
  const reading = { bid: '9.9500', observed_at: '2026-03-02T12:00:00.000Z', age_seconds: 0 }
  expect(json).toEqual({
    quoting: { status: 'open', changed_by: null, changed_at: null, reason: null },
    rate: { source: 'fixed', ...reading },
    problem: null,
    sources: [{ name: 'fixed', ...reading, usable: true, problem: null }],
    agreement: null,
  })
})

test('without a rate the answer says why; a source without a report has only its rate', async () => {
  api.rates.current = () => Promise.reject(new Unavailable('rate_source', 'gone'))
  expect((await victor('GET', rates)).json).toMatchObject({ rate: null, problem: 'rate_source unavailable: gone' })
  const old = { bid: rate(99_500n), source: 'broker', observedAt: new Date('2026-03-02T11:56:59.900Z') }
  const sources = [
    { name: 'broker', reading: old, problem: 'stale' },
    { name: 'exchange', reading: null, problem: 'gone' },
  ]
  api.rates.report = async () => ({ sources, agreement: null })
  const unread = { bid: null, observed_at: null, age_seconds: null }
  expect((await victor('GET', rates)).json.sources).toEqual([
    {
      name: 'broker',
      bid: '9.9500',
      observed_at: old.observedAt.toISOString(),
      age_seconds: 180,
      usable: false,
      problem: 'stale',
    },
    { name: 'exchange', ...unread, usable: false, problem: 'gone' },
  ])
  Object.assign(api.rates, { report: undefined })
  expect((await victor('GET', rates)).json.sources).toEqual([])
})

test('how far the sources are apart, and whether they agree', async () => {
  const agreement = { spreadBps: 201, maxSpreadBps: 200 }
  api.rates.report = async () => ({ sources: [], agreement })
  const agreementNow = async () => (await victor('GET', rates)).json.agreement
  expect(await agreementNow()).toEqual({ agree: false, spread_bps: 201, max_spread_bps: 200 })
  agreement.spreadBps = 200
  expect(await agreementNow()).toMatchObject({ agree: true })
})

test('while quoting is paused a new quote gets 503, and one that exists is paid', async () => {
  const quote = (await newQuote()).json
  const paused = await omar('POST', `${rates}/pause`, { reason })
  const at = '2026-03-02T12:00:00.000Z'
  const quoting = { status: 'paused', changed_by: 'omar', changed_at: at, reason }
  expect([paused.status, paused.json]).toEqual([200, quoting])
  const refused = await newQuote()
  expect([refused.status, refused.code]).toEqual([503, 'RATE_UNAVAILABLE'])
  expect(await metrics()).toContain('quipu_quoting_paused 1\n')
  expect((await victor('GET', rates)).json).toMatchObject({ quoting, rate: { bid: '9.9500' } })

  api.clock.step(1_000)
  const again = await api.operator('POST', `${rates}/pause`, { reason: 'Another.' })
  expect(again.json).toEqual(quoting)
  const stored = await tenant.get(`/v1/quotes/${quote.id}`)
  expect(stored.json).toMatchObject({ status: 'open' })

  const resumed = await omar('POST', `${rates}/resume`)
  expect(resumed.json).toMatchObject({ status: 'open', changed_by: 'omar', reason: null })
  expect((await newQuote()).status).toBe(201)
  const log = (await api.operator('GET', '/operator/v1/audit-log?subject=quoting')).json.data
  expect(log.map(({ action, actor, after }: Reply['json']) => [action, actor, after])).toEqual([
    ['quoting.resume', 'omar', { status: 'open' }],
    ['quoting.pause', 'omar', { status: 'paused', reason }],
  ])
})
