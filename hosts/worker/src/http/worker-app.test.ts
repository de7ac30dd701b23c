import { once } from 'node:events'
import { connect } from 'node:net'
import { Unavailable } from '@quipu/core'
import type { PaymentGate } from '@quipu/core/operator'
import { listen, type NamedLoop, namedLoop } from '@quipu/runtime'
import { afterEach, expect, test } from 'vitest'
import { workerApp, type WorkerAppPorts } from './worker-app.ts'

const loopOf = (name: string, pollingMs: number): NamedLoop =>
  namedLoop(name, { stop: async () => undefined, activity: () => ({ polls: 1, pollingMs }) })

const state = {
  isServing: true,
  isDatabaseUp: true,
  clockAheadMs: 0,
  loops: [loopOf('payouts', 10)] as readonly NamedLoop[] | undefined,
  unchecked: null as PaymentGate['unchecked'],
  failures: [] as string[],
  lookUp: async (token: string) =>
    token === 'of-ana' ? ({ person: 'ana', role: 'viewer', tokenHash: 'hash' } as const) : undefined,
}
const initial = { ...state }
const openGate = { stop: null, halt: null, unchecked: null, confirmations: 0, installation: 'ABCD' }
const ports: WorkerAppPorts = {
  readiness: {
    isServing: () => state.isServing,
    clockAheadMs: () => state.clockAheadMs,
    pingDatabase: async () => {
      if (!state.isDatabaseUp) throw new Unavailable('store', 'down')
    },
    readGate: async () => {
      if (!state.isDatabaseUp) throw new Unavailable('store', 'down')
      return { ...openGate, unchecked: state.unchecked }
    },
    timer: () => ({ done: new Promise(() => undefined), cancel: () => undefined }),
  },
  loops: () => state.loops,
  metrics: { text: async () => 'quipu_up 1\n', contentType: 'text/plain; version=0.0.4' },
  findOperator: (token) => state.lookUp(token),
  countFailure: (source) => {
    state.failures.push(source)
    const left = 2 - state.failures.length
    return { isAllowed: left >= 0, remaining: left, resetSeconds: 1, retryAfterSeconds: 1 }
  },
  log: { error: () => undefined },
}

const listener = await listen(workerApp(ports), { host: '127.0.0.1', port: 0 })
const get = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${listener.url}${path}`, init)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })
afterEach(() => void Object.assign(state, initial, { failures: [] }))

test('the probes need no token', async () => {
  expect(await get('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  const { status, text } = await get('/readyz')
  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual({
    status: 'ready',
    checks: { serving: 'ok', database: 'ok', clock: 'ok', loops: 'ok' },
    payments: 'begin',
  })
})

test('a worker is ready while payments are halted, and says so', async () => {
  state.unchecked = { start: 'now', comparedFrom: new Date(0) }
  const { status, text } = await get('/readyz')
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ status: 'ready', payments: 'halted' })
})

test.each([
  ['serving', { isServing: false }],
  ['database', { isDatabaseUp: false }],
  ['clock', { clockAheadMs: -60_000 }],
  ['loops', { loops: undefined }],
] as const)('is not ready without %s', async (check, change) => {
  Object.assign(state, change)
  const { status, text, headers } = await get('/readyz')
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('1')
  expect(JSON.parse(text)).toMatchObject({ status: 'not_ready', checks: { [check]: 'failing' } })
  expect(text.match(/failing/g)).toHaveLength(1)
  expect(await get('/healthz')).toMatchObject({ status: 200 })
})

test('names the loops that have halted', async () => {
  state.loops = [loopOf('payouts', 10), loopOf('deposits', 120_000)]
  const { status, text } = await get('/readyz')
  expect(status).toBe(503)
  expect(JSON.parse(text)).toMatchObject({ checks: { loops: 'failing', database: 'ok' }, halted_loops: ['deposits'] })
})

test('metrics need the token of an operator', async () => {
  expect(await get('/metrics')).toMatchObject({ status: 401 })
  expect(await get('/metrics', bearer('of-nobody'))).toMatchObject({ status: 401 })
  const refused = await get('/metrics', bearer('of-nobody'))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(state.failures).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  const { status, text, headers } = await get('/metrics', bearer('of-ana'))
  expect([status, text]).toEqual([200, 'quipu_up 1\n'])
  expect(headers.get('content-type')).toMatch(/^text\/plain/)
  state.lookUp = async () => {
    throw new Unavailable('store', 'down')
  }
  expect(await get('/metrics', bearer('of-ana'))).toMatchObject({ status: 503 })
})

test('a request that a proxy could read differently is 400, and the connection is closed', async () => {
  for (const headers of [
    'Host: a\r\nHost: b',
    'Host: a/b',
    'X-No-Host: a',
    'Host: a\r\nTransfer-Encoding: gzip, chunked',
  ]) {
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    socket.write(`GET /healthz HTTP/1.1\r\n${headers}\r\n\r\n`)
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\nCache-Control: no-store\r\n/s)
  }
})

test('any other path is 404, and any other method 405', async () => {
  expect(await get('/constructor')).toMatchObject({ status: 404 })
  const { status, headers } = await get('/metrics', { method: 'POST', body: 'x' })
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
