import { Unavailable, rate } from '@quipu/core'
import { differenceChecks } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { operatorToken } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each')

const read = (token?: string): Promise<Response> =>
  fetch(`${api.operatorUrl}/metrics`, { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } })

/** The lines of a metric without its name. */
async function metric(name: string): Promise<string[]> {
  const text = await (await read(operatorToken)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(name))
  return lines.map((line) => line.slice(name.length))
}

test('metrics are Prometheus text and need a token of any role', async () => {
  for (const token of [operatorToken, 'viewers']) {
    const response = await read(token)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(await response.text()).toMatch(/^# HELP quipu_/)
  }
  for (const token of [undefined, 'wrong']) expect((await read(token)).status).toBe(401)
  const tenant = await api.tenant()
  expect((await tenant.get('/metrics')).status).toBe(404)
  expect((await api.operator('GET', '/metrics?name=up')).status).toBe(400)
})

test('a request is counted with a method of its route, whatever it was sent with', async () => {
  const tenant = await api.tenant()
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'HEAD'])
    await api.request(method, '/v1/statements', { key: tenant.key })
  await api.request('PROPFIND', '/v1/nothing', { key: tenant.key })
  const counts = (await metric('quipu_http_request_duration_seconds_count')).filter((line) =>
    /statements"|method="other",route="none"/.test(line),
  )
  expect(counts.toSorted()).toEqual([
    '{listener="public",method="GET",route="/v1/statements",status="2xx"} 1',
    '{listener="public",method="other",route="/v1/statements",status="2xx"} 1',
    '{listener="public",method="other",route="/v1/statements",status="4xx"} 3',
    '{listener="public",method="other",route="none",status="4xx"} 1',
  ])
  expect(await (await read('the-token-of-olivia')).text()).not.toMatch(/TYPE nodejs_\w+_total gauge/)
})

test('requests are counted by route, not by path', async () => {
  const tenant = await api.tenant()
  await tenant.get('/v1/payouts/po_1')
  await tenant.get('/v1/payouts/po_2')
  await tenant.get('/v1/nothing/po_3')
  await api.request('GET', '/v1/payouts')
  await api.operator('GET', '/operator/v1/tenants')
  const counts = await metric('quipu_http_request_duration_seconds_count')
  expect(counts).toEqual(
    expect.arrayContaining([
      '{listener="public",method="GET",route="/v1/payouts/:id",status="4xx"} 2',
      '{listener="public",method="GET",route="none",status="4xx"} 2',
      '{listener="operator",method="GET",route="/operator/v1/tenants",status="2xx"} 1',
    ]),
  )
  expect(counts.join()).not.toContain('po_1')
  expect(await metric('quipu_http_errors_total')).toEqual(
    expect.arrayContaining([
      '{listener="public",code="NOT_FOUND"} 1',
      '{listener="public",code="AUTHENTICATION_FAILED"} 1',
    ]),
  )
  expect(await metric('quipu_http_request_duration_seconds_bucket')).not.toEqual([])
})

test('the backlog of the whole service is read at most once in five seconds', async () => {
  const tenant = await api.tenant()
  await tenant.post('/v1/webhooks', { url: 'https://hooks.example/quipu' })
  const count = (): Promise<string[]> => metric('quipu_payouts_processing ')
  expect(await count()).toEqual(['0'])
  api.hooks.sending = async ({ type }) => (type === 'pay' ? 'lost' : 'arrives')
  const { json } = await tenant.post('/v1/payouts', await tenant.order())
  expect(json.status).toBe('processing')
  expect(await count()).toEqual(['0'])
  api.clock.step(5_000)
  expect(await count()).toEqual(['1'])
  expect(await metric('quipu_payouts_processing_oldest_seconds ')).toEqual(['5'])
  // The id of the tenant's key.
  expect(await metric('quipu_notices_waiting ')).toEqual(['1'])
  expect(await metric('quipu_notices_waiting_oldest_seconds ')).toEqual(['5'])
  expect(await metric('quipu_deliveries_due{')).toEqual(['pace="fast"} 0', 'pace="slow"} 0', 'pace="catching_up"} 0'])
  for (const name of ['webhook_endpoints_paused', 'quoting_paused', 'deposits_in_review', 'ledger_unchecked_seconds'])
    expect(await metric(`quipu_${name} `)).toEqual(['0'])
  for (const name of ['differences_open', 'differences_open_oldest_seconds'])
    expect(await metric(`quipu_${name}{`)).toEqual(differenceChecks.map((check) => `check="${check}"} 0`))
})

test('during a database outage the backlog is left out and the other metrics are not', async () => {
  api.stores.backlog.read = () => Promise.reject(new Unavailable('store', 'gone'))
  expect(await metric('quipu_payouts_processing')).toEqual([])
  expect(await metric('quipu_rate_available ')).toEqual(['1'])
  api.clock.step(5_000)
  const called = Promise.withResolvers<void>()
  api.stores.backlog.read = () => {
    called.resolve()
    return new Promise(() => undefined)
  }
  const waiting = metric('quipu_rate_available ')
  await called.promise
  api.clock.step(2_000)
  expect(await waiting).toEqual(['1'])
})

test('ledger drift is what the ledger check has found', async () => {
  const { read } = api.stores.backlog
  api.stores.backlog.read = async () => {
    const backlog = await read()
    return { ...backlog, ledger: { ...backlog.ledger, driftMicroUsdt: 3n, unrecheckedSeconds: 7 } }
  }
  expect(await metric('quipu_ledger_drift_micro_usdt ')).toEqual(['3'])
  expect(await metric('quipu_ledger_unrechecked_seconds ')).toEqual(['7'])
})

test('processes that run and have gone, and their clocks', async () => {
  const { processes } = api.stores
  const [id, host] = ['prc_1', 'host-1']
  const beat = () => processes.beat({ id, host, program: 'api', aheadMs: -2_500 })
  await processes.beat({ id: 'prc_2', host, program: 'worker', aheadMs: 100 })
  await beat()
  const values = async (name: string) => metric(`quipu_${name}{`)
  expect(await values('processes')).toEqual(['program="api"} 1', 'program="worker"} 1'])
  for (let n = 0; n < 7; n++) {
    api.clock.step(5_000)
    await beat()
  }
  expect(await values('processes')).toEqual(['program="api"} 1', 'program="worker"} 0'])
  expect(await values('processes_missing')).toEqual(['program="api"} 0', 'program="worker"} 1'])
  expect(await values('clock_apart_seconds')).toEqual(['program="api"} 2.5', 'program="worker"} 0'])
  api.stores.processes.list = () => Promise.reject(new Unavailable('store', 'gone'))
  expect(await values('processes')).toEqual([])
})

test('the sources of the rate, read at most once in 15 seconds', async () => {
  const observedAt = new Date(api.clock.now().getTime() - 5_000)
  const sources = [
    { name: 'broker', reading: { bid: rate(99_500n), source: 'broker', observedAt }, problem: null },
    { name: 'exchange', reading: null, problem: 'gone' },
  ]
  let reports = 0
  api.rates.report = async () => {
    reports += 1
    return { sources, agreement: { spreadBps: 11, maxSpreadBps: 200 } }
  }
  const values = async (name: string) => metric(`quipu_rate_${name}`)
  expect(await values('available ')).toEqual(['1'])
  expect(await values('source_usable{')).toEqual(['source="broker"} 1', 'source="exchange"} 0'])
  expect(await values('source_age_seconds{')).toEqual(['source="broker"} 5'])
  expect(await values('spread_bps ')).toEqual(['11'])
  expect(reports).toBe(1)
  api.rates.current = () => Promise.reject(new Unavailable('rate_source', 'gone'))
  api.clock.step(15_000)
  expect(await values('available ')).toEqual(['0'])
  expect(reports).toBe(2)
})
