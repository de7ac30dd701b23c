import { once } from 'node:events'
import { connect } from 'node:net'
import { publicOpenApi } from '@quipu/wire'
import { beforeAll, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { Json } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant

beforeAll(async () => {
  tenant = await api.tenant()
})

test.each(['a', 'A-z_09', 'x'.repeat(64)])('the caller’s request id is kept: %s', async (own) => {
  const reply = await tenant.get('/v1/nothing', { headers: { 'X-Request-Id': own } })
  expect(reply.headers.get('x-request-id')).toBe(own)
  expect(reply.json.error.request_id).toBe(own)
  expect(api.lines()).toContainEqual(expect.objectContaining({ request_id: own, status: 404 }))
})

test.each(['x'.repeat(65), 'a b', 'a.b', 'é'])('an invalid request id is replaced: %s', async (own) => {
  const reply = await tenant.get('/v1/nothing', { headers: { 'X-Request-Id': own } })
  expect(reply.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect(reply.json.error.request_id).toBe(reply.headers.get('x-request-id'))
})

test.each([
  ['GET', '/healthz', 200],
  ['GET', '/readyz', 200],
  ['GET', '/v1/openapi.json', 200],
  ['GET', '/', 401],
  ['POST', '/network/callbacks', 401],
  ['OPTIONS', '/healthz', 204],
  ['DELETE', '/healthz', 405],
])('%s %s without a key: %i, with a request id', async (method, path, status) => {
  const reply = await api.request(method, path)
  expect(reply.status).toBe(status)
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(reply.headers.get('x-powered-by')).toBeNull()
})

test('every answer but the page at /docs has Cache-Control: no-store', async () => {
  const { json } = await tenant.post('/v1/webhooks', { url: 'https://example.com' })
  const replies = [
    await tenant.get('/v1/wallets'),
    await tenant.get('/v1/payouts'),
    await tenant.post('/v1/payouts', await tenant.order()),
    await tenant.post('/v1/webhooks', { url: 'https://example.com' }),
    await tenant.post(`/v1/webhooks/${json.id}/rotate-secret`, {}),
    await tenant.remove(`/v1/webhooks/${json.id}`),
    await tenant.get('/v1/nothing'),
    await api.request('GET', '/v1/wallets'),
    await api.request('GET', '/healthz'),
    await api.operator('GET', '/operator/v1/tenants'),
    await api.operator('POST', `/operator/v1/tenants/${tenant.id}/api-keys`, { name: 'x', scopes: ['payouts:read'] }),
  ]
  for (const { headers } of replies) expect(headers.get('cache-control')).toBe('no-store')
  expect((await api.request('GET', '/docs')).headers.get('cache-control')).toBe('no-cache')
})

test.each([
  ['PUT', '/v1/payouts', 'GET, HEAD, POST'],
  ['DELETE', '/v1/payouts/po_1', 'GET, HEAD'],
  ['GET', '/v1/quotes', 'POST'],
  ['POST', '/v1/wallets', 'GET, HEAD, PATCH'],
  ['GET', '/v1/payouts/qr/resolve', 'POST'],
  ['HEAD', '/v1/quotes', 'POST'],
])('%s %s: 405, Allow: %s', async (method, path, allow) => {
  const reply = await api.request(method, path, { key: tenant.key })
  expect(reply.status).toBe(405)
  expect(reply.headers.get('allow')).toBe(allow)
  if (method !== 'HEAD') expect(reply.code).toBe('METHOD_NOT_ALLOWED')
})

test.each(['/v1/openapi.json?x=1', '/v1/openapi.json?version=', '/healthz?x=1', '/readyz?x=1'])(
  '%s takes no query parameters: 400',
  async (path) => {
    const reply = await api.request('GET', path)
    expect([reply.status, reply.code]).toEqual([400, 'VALIDATION_FAILED'])
  },
)

test('HEAD is GET without the body, OPTIONS lists the methods', async () => {
  const head = await api.request('HEAD', '/v1/wallets', { key: tenant.key })
  const get = await tenant.get('/v1/wallets')
  expect([head.status, head.json]).toEqual([200, undefined])
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  const options = await api.request('OPTIONS', '/v1/payouts', { key: tenant.key })
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST'])
})

test.each([
  '/v1',
  '/v1/',
  '/v1/payouts/',
  '/V1/payouts',
  '/v1/Payouts',
  '/v2/payouts',
  '/v1/payouts/%E0%A4%A',
  '/v1/faucet',
])('spec §9 — %s is a 404 NOT_FOUND', async (path) => {
  const reply = await tenant.get(path)
  expect([reply.status, reply.code]).toEqual([404, 'NOT_FOUND'])
  expect(reply.json.error.details).toBeUndefined()
})

const tooLarge = [413, 'BODY_TOO_LARGE']
const sized = (bytes: number): string => JSON.stringify({ x: 'x'.repeat(bytes - 8) })

test('a body of 64 KiB is read, a larger one is a 413', async () => {
  const just = await tenant.post('/v1/payouts', undefined, { raw: sized(65_536) })
  expect(just.status).toBe(400)
  for (const bytes of [65_537, 600_000]) {
    const reply = await tenant.post('/v1/payouts', undefined, { raw: sized(bytes) })
    expect([reply.status, reply.code]).toEqual(tooLarge)
  }
})

test.each([
  ['without Host', '', 400, 'VALIDATION_FAILED'],
  ['with an unknown expectation', 'Host: x\r\nExpect: junk\r\n', 401, 'AUTHENTICATION_FAILED'],
])('a request %s is answered like any other', async (_, header, status, code) => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  socket.end(`GET /v1/payouts HTTP/1.1\r\nConnection: close\r\n${header}\r\n`)
  await once(socket, 'close')
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(/^X-Request-Id: \S+\r$/m)
  expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r$/m)
  expect(answer).toContain(`"code":"${code}"`)
  if (status === 400) expect(answer).toContain('"field":"Host"')
})

test('a body of undeclared length is a 413 as soon as it is too large', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 20; i++) controller.enqueue(new TextEncoder().encode('x'.repeat(8_192)))
      controller.close()
    },
  })
  const response = await fetch(`${api.url}/v1/payouts`, {
    method: 'POST',
    body,
    headers: { 'X-API-Key': tenant.key, 'Content-Type': 'application/json' },
    duplex: 'half',
  })
  expect(response.status).toBe(413)
})

test('a declared length above the limit is a 413 before the body is sent', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.write(
    `POST /v1/payouts HTTP/1.1\r\nHost: x\r\nX-API-Key: ${tenant.key}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`,
  )
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('413')
  expect(String(answer)).toContain('Connection: close')
  socket.destroy()
})

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/json; charset=latin1', 415],
  ['application/jsonx', 415],
  ['application/json', 400],
  ['Application/JSON; charset=UTF-8', 400],
  ['application/json;charset="utf-8"', 400],
])('Content-Type %s: %i', async (type, status) => {
  const reply = await tenant.post('/v1/payouts', {}, { headers: { 'Content-Type': type } })
  expect(reply.status).toBe(status)
  if (status === 415) expect(reply.code).toBe('UNSUPPORTED_MEDIA_TYPE')
})

test('a compressed body is a 415', async () => {
  const reply = await tenant.post('/v1/payouts', {}, { headers: { 'Content-Encoding': 'gzip' } })
  expect(reply.status).toBe(415)
})

test.each(['', '{', 'null', '[]', '"x"', '{"a":1}}', '\uFEFF{}', "{'a':1}"])(
  'spec §7 — the body %j: 400 that names it',
  async (raw) => {
    const reply = await tenant.post('/v1/payouts', undefined, { raw })
    expect([reply.status, reply.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(reply.json.error.details).toEqual([{ field: 'body', message: expect.any(String) }])
  },
)

test('a body that is not UTF-8 is a 400', async () => {
  const raw = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  const reply = await tenant.post('/v1/payouts', undefined, { raw })
  expect(reply.json.error.details[0].field).toBe('body')
})

test('bytes that are not HTTP get an error of the same shape', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.end('GARBAGE\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/)
  expect(answer).toContain('X-Content-Type-Options: nosniff\r\n')
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error.code).toBe('VALIDATION_FAILED')
})

test('a caller that disconnects during the body leaves a log line and no error', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.write(
    `POST /v1/payouts HTTP/1.1\r\nHost: x\r\nX-Request-Id: disconnected\r\nX-API-Key: ${tenant.key}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"transaction_id":`,
  )
  await once(socket, 'ready')
  await tenant.get('/v1/wallets') // Afterwards the first request has been received.
  socket.destroy()
  const line = expect.objectContaining({ request_id: 'disconnected', aborted: true })
  await expect.poll(() => api.lines()).toContainEqual(line)
  const failures = api
    .lines()
    .filter(({ level, request_id }: Json) => level !== 'info' && request_id === 'disconnected')
  expect(failures).toEqual([])
})

test('headers above 16 KiB are a 431 of the same shape', async () => {
  const reply = await tenant.get('/v1/wallets', { headers: { 'X-Filler': 'x'.repeat(20_000) } })
  expect([reply.status, reply.code]).toEqual([431, 'HEADERS_TOO_LARGE'])
})

test('a bug is a 500 without a stack; the log has the stack', async () => {
  const { wallets } = api.stores
  const { find } = wallets
  wallets.find = async () => {
    throw new TypeError('secret detail of select * from wallet')
  }
  const reply = await tenant.get('/v1/wallets')
  wallets.find = find
  expect([reply.status, reply.code]).toEqual([500, 'INTERNAL_ERROR'])
  expect(JSON.stringify(reply.json)).not.toContain('select')
  const { request_id } = reply.json.error
  expect(api.lines()).toContainEqual(
    expect.objectContaining({
      level: 'error',
      request_id,
      err: expect.objectContaining({ type: 'TypeError', stack: expect.any(String) }),
    }),
  )
})

test('/readyz fails during an outage of the store and while stopping, /healthz does not', async () => {
  const checks = { serving: 'ok', database: 'ok', clock: 'ok' }
  const ready = { status: 'ready', checks, payments: 'begin' }
  expect((await api.request('GET', '/readyz')).json).toEqual(ready)
  const { find } = api.stores.tenants
  api.stores.tenants.find = async () => {
    throw new Error('gone')
  }
  const reply = await api.request('GET', '/readyz')
  api.stores.tenants.find = find
  expect([reply.status, reply.json.checks.database]).toEqual([503, 'failing'])
  expect(reply.headers.get('retry-after')).toBe('1')
  expect((await api.request('GET', '/healthz')).json).toEqual({ status: 'ok' })
})

test('each request writes one log line without keys, contents or account numbers', async () => {
  const order = await tenant.order()
  await tenant.post('/v1/payouts', order)
  const { qr: _, ...rest } = order
  await tenant.post('/v1/payouts', {
    ...rest,
    type: 'bank_transfer',
    bank_transfer: { account_number: '99887766554433' },
  })
  const lines = api.lines()
  const text = JSON.stringify(lines)
  for (const secret of [tenant.key, order.qr.content, '99887766554433']) expect(text).not.toContain(secret)
  expect(lines.at(-2)).toMatchObject({
    request_id: expect.any(String),
    tenant_id: tenant.id,
    method: 'POST',
    path: '/v1/payouts',
    status: 201,
    duration_ms: expect.any(Number),
  })
})

test('spec §9 — /v1/openapi.json is OpenAPI 3.1 of version 1.0.0', async () => {
  const { json } = await api.request('GET', '/v1/openapi.json')
  expect(json.openapi).toBe('3.1.0')
  expect(json.info.version).toBe('1.0.0')
  expect(json).toEqual(JSON.parse(JSON.stringify(publicOpenApi())))
})

test('/v1/openapi.json states the retry policy of the settings', async () => {
  const patient = await testApi({ WEBHOOK_ATTEMPTS: '12', WEBHOOK_MAX_DELAY_SECONDS: '600' })
  const { json } = await patient.request('GET', '/v1/openapi.json')
  expect(json.info.description).toContain('attempted 12 times within 76 minutes')
  await patient.stop()
})
