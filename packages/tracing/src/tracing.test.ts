import { type RecordedSpans, recordSpans } from './testing.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  activeSpan,
  activeTraceId,
  activeTraceparent,
  inChildSpan,
  inHttpSpan,
  inWorkSpan,
  queuedSpan,
  type SpanFacts,
  spanContextOf,
  startServerSpan,
  untraced,
} from './index.ts'

const facts: SpanFacts = { scope: 'test', name: 'work', kind: 'internal' }
const child: SpanFacts = { scope: 'test', name: 'child', kind: 'client' }
const request = { scope: 'test', method: 'GET', url: new URL('https://user:pass@host.example/s?k=v') }
const stored = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`

let recorded: RecordedSpans | undefined

const start = (ratio: number): RecordedSpans => (recorded = recordSpans(ratio))

beforeEach(() => {
  recorded = undefined
})
afterEach(() => recorded?.stop())

const nothingActive = async (): Promise<void> => {
  await inWorkSpan(facts, undefined, async () => {
    expect([activeSpan(), activeTraceId(), activeTraceparent()]).toEqual([undefined, undefined, undefined])
    expect(await inChildSpan(child, async (span) => span)).toBeUndefined()
    expect(queuedSpan(child)).toBeUndefined()
    expect(
      await inHttpSpan(
        request,
        async (headers) => headers,
        () => ({}),
      ),
    ).toBeUndefined()
  })
  expect(startServerSpan('test', { traceparent: stored }, 'linked')).toBeUndefined()
}

test('without an SDK nothing is active, and a caller’s trace is not read', async () => {
  await nothingActive()
  expect(startServerSpan('test', { traceparent: stored }, 'trusted')).toBeUndefined()
})

test('what is not sampled is not active', async () => {
  const spans = start(0)
  await nothingActive()
  expect(spans.spans()).toEqual([])
})

test('work continues a stored trace, also when it samples no trace of its own', async () => {
  const spans = start(0)
  const header = await inWorkSpan(facts, stored, async () => activeTraceparent())
  const [span] = spans.spans()
  expect(span).toMatchObject({ name: 'work', traceId: 'ab'.repeat(16), parentId: 'cd'.repeat(8) })
  expect(header).toBe(`00-${span?.traceId}-${span?.spanId}-01`)
})

test.each([
  '',
  'nothing',
  stored.replace(/01$/, '00'),
  stored.replace('ab', 'AB'),
  `${stored}-more`,
  `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`,
  `00-${'ab'.repeat(16)}-${'0'.repeat(16)}-01`,
])('%j is no stored trace', (text) => {
  expect(spanContextOf(text)).toBeUndefined()
})

test('work that does not continue a trace leaves the one in which it was started', async () => {
  const spans = start(1)
  await inWorkSpan(facts, undefined, async () => {
    expect(untraced(activeSpan)).toBeUndefined()
    await inWorkSpan({ ...facts, name: 'other' }, undefined, async () => undefined)
  })
  const [other, work] = spans.spans()
  expect(other?.traceId).not.toBe(work?.traceId)
  expect([other?.links, work?.links]).toEqual([[{ traceId: work?.traceId, spanId: work?.spanId }], []])
})

test('an error ends its span with its code, and is thrown', async () => {
  const spans = start(1)
  const failed = Object.assign(new Error('connect to 10.0.0.1 failed'), { code: 'ECONNREFUSED' })
  const wrapped = new TypeError('the secret', { cause: failed })
  for (const error of [failed, wrapped, new TypeError('the secret')])
    await expect(inWorkSpan(facts, undefined, () => Promise.reject(error))).rejects.toBe(error)
  expect(spans.spans().map(({ attributes }) => attributes['error.type'])).toEqual([
    'ECONNREFUSED',
    'ECONNREFUSED',
    'TypeError',
  ])
  expect(spans.spans().every(({ isError }) => isError)).toBe(true)
  expect(JSON.stringify(spans.spans())).not.toContain('secret')
})

test('a request carries the span that records it, without path, query and user', async () => {
  const spans = start(1)
  const headers = await inWorkSpan(facts, undefined, () =>
    inHttpSpan(
      request,
      async (sent) => sent,
      () => ({ status: 503 }),
    ),
  )
  const [span] = spans.spans()
  expect(headers).toEqual({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` })
  expect(span).toMatchObject({
    name: 'GET',
    isError: true,
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 503,
      'server.address': 'host.example',
      'server.port': 443,
      'error.type': '503',
    },
  })
  expect(Object.keys(span?.attributes ?? {})).toHaveLength(5)
})

test('the items of a batch have spans in their own traces', async () => {
  const spans = start(1)
  const [one, two] = await Promise.all(
    [1, 2].map((n) => inWorkSpan({ ...facts, name: `work ${n}` }, undefined, async () => queuedSpan(child))),
  )
  one?.started(2)
  two?.started(2)
  one?.end()
  two?.fail(new Error('rolled back'))
  const items = spans.spans().filter(({ name }) => name === 'child')
  expect(items.map(({ attributes }) => attributes['db.operation.batch.size'])).toEqual([2, 2])
  expect(items.map(({ isError }) => isError)).toEqual([false, true])
  expect(items.map(({ events }) => events)).toEqual([['batch started'], ['batch started']])
  expect(new Set(items.map(({ traceId }) => traceId)).size).toBe(2)
})

test('a server span continues a trusted trace with its state, and links any other', async () => {
  const spans = start(1)
  const headers = { traceparent: stored, tracestate: 'vendor=1' }
  const sent: unknown[] = []
  for (const callerTrace of ['trusted', 'linked'] as const) {
    const span = startServerSpan('test', headers, callerTrace)
    span?.run(() => {
      void inHttpSpan(
        request,
        async (carried) => sent.push(carried?.['tracestate']),
        () => ({}),
      )
    })
    span?.end({ method: 'GET', route: '/v1/x', status: 200, attributes: {} })
  }
  const [trusted, linked] = spans.spans().filter(({ name }) => name === 'GET /v1/x')
  expect(trusted).toMatchObject({ traceId: 'ab'.repeat(16), parentId: 'cd'.repeat(8), links: [] })
  expect(linked?.parentId).toBeUndefined()
  expect(linked?.links).toEqual([{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }])
  expect(sent).toEqual(['vendor=1', undefined])
})

test('a trusted caller that does not sample is not recorded', () => {
  const spans = start(1)
  const traceparent = stored.replace(/01$/, '00')
  expect(startServerSpan('test', { traceparent }, 'trusted')).toBeUndefined()
  expect(startServerSpan('test', { traceparent }, 'linked')).toBeDefined()
  expect(spans.spans()).toEqual([])
})
