import type { Scenario } from '@quipu/simulators'
import { type RecordedSpan, type RecordedSpans, recordSpans } from '@quipu/tracing/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { until } from '../harness/process.fixture.ts'
import { closedQr, operatorToken } from '../harness/tenant.fixture.ts'
import { secrets, type TracedService, tracedService } from './tracing.fixture.ts'

let recorded: RecordedSpans
let service: TracedService

beforeAll(async () => {
  recorded = recordSpans()
  service = await tracedService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await recorded.stop()
})
beforeEach(() => recorded.clear())

const caller = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

let orders = 0

async function order(scenario: Scenario) {
  const { content } = service.network.issueQr(closedQr(scenario))
  const target = { currency: 'BOB', amount: '100.00' }
  const quote = (await service.ask('POST', '/v1/quotes', { target })).json as { id: string }
  return { transaction_id: `traced-${++orders}`, type: 'qr', quote_id: quote.id, qr: { content } }
}

const pay = (body: object, headers: Record<string, string> = {}) => service.ask('POST', '/v1/payouts', body, headers)

const spanNamed = (name: string, spans = recorded.spans()): RecordedSpan | undefined =>
  spans.find((span) => span.name === name)

/** The trace of the newest `POST /v1/payouts`, once it has a span with this name. */
async function payoutTrace(last: string): Promise<readonly RecordedSpan[]> {
  const ofTrace = (): readonly RecordedSpan[] => {
    const root = recorded.spans().findLast(({ name }) => name === 'POST /v1/payouts')
    return recorded.spans().filter(({ traceId }) => traceId === root?.traceId)
  }
  await until(`the trace has ${last}`, () => ofTrace().some(({ name }) => name === last))
  return ofTrace()
}

/** Names of the spans from the root to this one. */
function pathTo(span: RecordedSpan | undefined, spans: readonly RecordedSpan[]): string[] {
  if (span === undefined) return []
  const parent = spans.find(({ spanId }) => spanId === span.parentId)
  return [...pathTo(parent, spans), span.name]
}

const spanIdOf = (header: unknown): string => String(header).split('-')[2] ?? ''

test('a payout is one tree of spans: API, database, network and webhook', async () => {
  const before = service.receiver.arrived.length
  const paid = await pay(await order('paid'), { traceparent })
  expect([paid.status, (paid.json as { status: string }).status]).toEqual([201, 'completed'])
  const spans = await payoutTrace('deliver event')

  const roots = spans.filter(({ parentId }) => parentId === undefined)
  expect(roots.map(({ name }) => name)).toEqual(['POST /v1/payouts'])
  const paths = spans.map((span) => pathTo(span, spans).join(' > '))
  expect(paths).toEqual(
    expect.arrayContaining([
      'POST /v1/payouts > payout.find_for_create',
      'POST /v1/payouts > POST /v1/qr/read',
      'POST /v1/payouts > accept_payouts',
      'POST /v1/payouts > PUT /v1/payments/{reference}',
      'POST /v1/payouts > settle_payouts',
      'POST /v1/payouts > deliver event > POST',
      'POST /v1/payouts > deliver event > record_runs',
    ]),
  )
  expect(paths.every((path) => path.startsWith('POST /v1/payouts'))).toBe(true)
  expect(new Set(spans.map(({ scope }) => scope))).toEqual(
    new Set(['@quipu/api', '@quipu/postgres', '@quipu/qr-network', '@quipu/webhook-http', '@quipu/worker']),
  )
  expect(spans.some(({ isError }) => isError)).toBe(false)

  // Each other system gets the span of the request that it answers.
  const network = service.networkCalls.arrived.findLast(({ method }) => method === 'PUT')
  const call = spanNamed('PUT /v1/payments/{reference}', spans)
  expect(network?.headers['traceparent']).toBe(`00-${call?.traceId}-${call?.spanId}-01`)
  expect(call?.attributes).toMatchObject({
    'http.request.method': 'PUT',
    'http.response.status_code': 200,
    'server.address': '127.0.0.1',
    'quipu.payout.id': (paid.json as { id: string }).id,
  })
  const hook = service.receiver.arrived[before]
  expect(spanIdOf(hook?.headers['traceparent'])).toBe(spanNamed('POST', spans)?.spanId)
  const shown = await service.ask('GET', `/v1/events/${String(hook?.headers['x-service-event-id'])}`)
  expect(JSON.parse(hook?.body.toString() ?? '')).toEqual(shown.json)

  const line = service.lines.find(({ trace_id }) => trace_id === call?.traceId)
  expect(line).toMatchObject({ method: 'POST', path: '/v1/payouts', status: 201 })
})

test('a tenant’s trace is linked, and its id and state are not continued', async () => {
  await pay(await order('paid'), { traceparent, tracestate: 'vendor=theirs' })
  const spans = await payoutTrace('deliver event')
  expect(spanNamed('POST /v1/payouts', spans)?.links).toEqual([caller])
  expect(spans.some(({ traceId }) => traceId === caller.traceId)).toBe(false)
  const { headers } = service.networkCalls.arrived.at(-1) ?? {}
  expect(headers?.['tracestate']).toBeUndefined()
})

test('an operator’s trace is continued', async () => {
  const headers = { authorization: `Bearer ${operatorToken}`, traceparent }
  await askJson(service.operatorUrl, { method: 'GET', path: '/operator/v1/tenants', headers })
  await until('the request is recorded', () => spanNamed('GET /operator/v1/tenants') !== undefined)
  expect(spanNamed('GET /operator/v1/tenants')).toMatchObject({ traceId: caller.traceId, parentId: caller.spanId })
})

test('a repeated request has a trace of its own, without a call to the network', async () => {
  const body = await order('paid')
  await pay(body)
  const first = await payoutTrace('deliver event')
  recorded.clear()
  const repeated = await pay(body)
  expect(repeated.headers.get('idempotent-replayed')).toBe('true')
  const second = await payoutTrace('POST /v1/payouts')
  expect(second[0]?.traceId).not.toBe(first[0]?.traceId)
  // A key that was read five seconds ago is read again.
  const names = second.map(({ name }) => name).filter((name) => name !== 'api_key.find_caller')
  expect(names).toEqual(['payout.find_for_create', 'payout.find', 'POST /v1/payouts'])
})

test('a refused request names the code of its answer', async () => {
  const body = await order('paid')
  await pay({ ...body, quote_id: '00000000-0000-4000-8000-000000000000' })
  const spans = await payoutTrace('POST /v1/payouts')
  const root = spanNamed('POST /v1/payouts', spans)
  expect(root?.attributes).toMatchObject({ 'http.response.status_code': 404 })
  expect(root?.attributes['quipu.error.code']).toBe('QUOTE_NOT_FOUND')
  expect(root?.isError).toBe(false)
})

test('a payout that a worker settles stays in the trace of its request', async () => {
  const late = await pay(await order('late'))
  expect((late.json as { status: string }).status).toBe('processing')
  const spans = await payoutTrace('deliver event')
  const settle = spanNamed('settle_payouts', spans)
  expect(pathTo(settle, spans)).toEqual(['POST /v1/payouts', 'resume payout', 'settle_payouts'])
  const deliver = spanNamed('deliver event', spans)
  expect(pathTo(deliver, spans)).toEqual(['POST /v1/payouts', 'resume payout', 'deliver event'])
})

test('a network error is recorded by its kind', async () => {
  await pay(await order('pay_then_drop'))
  const spans = await payoutTrace('POST /v1/payouts')
  expect(spanNamed('PUT /v1/payments/{reference}', spans)).toMatchObject({
    isError: true,
    attributes: { 'error.type': 'lost' },
  })
})

test('no span has a secret, a QR’s content or an amount', async () => {
  const body = await order('paid')
  await pay(body)
  await payoutTrace('deliver event')
  await service.ask('GET', `/v1/payouts/${service.apiKey}`)
  await until('the request is recorded', () => spanNamed('GET /v1/payouts/:id') !== undefined)
  // The random ids of traces and spans may contain any digits.
  const text = JSON.stringify(recorded.spans().map(({ name, attributes, events }) => ({ name, attributes, events })))
  const hidden = [
    ...Object.values(secrets),
    service.apiKey,
    operatorToken,
    body.qr.content,
    body.transaction_id,
    'amount',
    '100.00',
    '10000',
    new URL(service.database.roleUrl).password,
  ]
  expect(hidden.filter((one) => text.includes(one))).toEqual([])
})
