import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jsonClient, type JsonClient, type JsonClientOptions, type Reply } from './json-client.ts'
import { startHttpServer, unusedUrl, startTcpServer } from './testing.ts'

const put = { method: 'PUT', path: '/x', body: { a: 1 }, timeoutMs: 10_000 } as const

function client(options: Omit<JsonClientOptions, 'scope'>): JsonClient {
  const headers = { authorization: 'Bearer secret' }
  const created = jsonClient({ scope: 'test', headers, ...options })
  onTestFinished(() => created.stop())
  return created
}

/** A server that calls `onData` after the last byte of each request. */
const onRequest = (onData: (socket: Socket, received: string) => void): ReturnType<typeof startTcpServer> =>
  startTcpServer((socket, received) => {
    if (received.endsWith('{"a":1}')) onData(socket, received)
  })

/** Stops `setTimeout` until the test ends. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

const httpAnswer = (head: string, body: string): string =>
  `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`

test('sends its headers and JSON to the path of its URL', async () => {
  const received: string[] = []
  const { url } = await onRequest((socket, text) => {
    received.push(text)
    socket.end(httpAnswer('200 OK', '{"ok":true}'))
  })
  const reply = await client({ url: `${url}/prefix/` }).send(put)
  expect(reply).toEqual({ type: 'answered', status: 200, body: { ok: true } })
  expect(received.join('')).toMatch(/^PUT \/prefix\/x HTTP\/1\.1\r\n/)
  expect(received.join('')).toContain('authorization: Bearer secret\r\n')
  expect(received.join('')).toContain('content-type: application/json\r\n')
  expect(received.join('')).toMatch(/\r\n\r\n\{"a":1\}$/)
})

test('a refused connection is not_sent', async () => {
  expect(await client({ url: await unusedUrl() }).send(put)).toEqual({ type: 'not_sent', reason: 'ECONNREFUSED' })
})

test('a name that does not resolve is not_sent', async () => {
  const reply = await client({ url: 'http://no-such-host.invalid' }).send(put)
  expect(reply).toMatchObject({ type: 'not_sent' })
})

test('a failed TLS handshake is not_sent', async () => {
  const { url } = await startTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const reply = await client({ url: url.replace('http:', 'https:') }).send(put)
  expect(reply).toMatchObject({ type: 'not_sent' })
})

test.each<[string, string | null]>([
  ['no answer at all', ''],
  ['a reset', null],
  ['half a status line', 'HTTP/1.1 20'],
  ['half the headers', 'HTTP/1.1 200 OK\r\ncontent-len'],
  ['half the body', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"ok":'],
  ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nf\r\n{"ok":'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['an invalid status line', 'HTTP/1.1 2x0 OK\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}}'],
  ['an unasked continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['a protocol upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
])('%s is lost, and nothing is sent again', async (_name, answer) => {
  const { url, connections } = await onRequest((socket) => {
    if (answer === null) socket.resetAndDestroy()
    else socket.end(answer)
  })
  expect(await client({ url }).send(put)).toMatchObject({ type: 'lost' })
  expect(connections).toHaveLength(1)
})

const read = { ...put, isRead: true } as const

test('a read on a kept connection that breaks is sent once more, on a new connection', async () => {
  const { url, connections } = await onRequest((socket, text) => {
    if (text.split('PUT').length > 2) socket.destroy()
    else socket.write(httpAnswer('200 OK', '{"ok":true}'))
  })
  const { send } = client({ url })
  for (let time = 0; time < 3; time++)
    expect(await send(read)).toEqual({ type: 'answered', status: 200, body: { ok: true } })
  expect(connections.length).toBeGreaterThan(1)
})

test('a read whose new connection breaks too is lost after two requests', async () => {
  let requests = 0
  const { url } = await onRequest((socket) => {
    requests += 1
    socket.destroy()
  })
  expect(await client({ url }).send(read)).toMatchObject({ type: 'lost' })
  expect(requests).toBe(2)
})

test('a request on a kept connection that breaks is lost and not repeated', async () => {
  const { url, connections } = await onRequest((socket, received) => {
    const requests = received.split('{"a":1}').length - 1
    if (requests === 1) socket.write(httpAnswer('200 OK', '{}'))
    if (requests === 2) socket.resetAndDestroy()
  })
  const { send } = client({ url, connectionsMax: 1 })
  expect(await send(put)).toMatchObject({ type: 'answered' })
  expect(await send(put)).toMatchObject({ type: 'lost' })
  expect(connections).toHaveLength(1)
})

test('a kept connection that the server closed is not reused', async () => {
  const { url, connections } = await onRequest((socket) => socket.write(httpAnswer('200 OK', '{}')))
  const { send } = client({ url, connectionsMax: 1 })
  await send(put)
  connections[0]?.end()
  await once(connections[0]!, 'close')
  expect(await send(put)).toMatchObject({ type: 'answered' })
  expect(connections).toHaveLength(2)
})

test('an answer that arrives before its request is ignored', async () => {
  const forged = httpAnswer('200 OK', '{"forged":true}')
  const { url } = await onRequest((socket, received) => {
    if (received.split('PUT').length === 2) socket.write(httpAnswer('200 OK', '{}') + forged)
    else socket.end(httpAnswer('200 OK', '{"true":true}'))
  })
  const { send } = client({ url, connectionsMax: 1 })
  await send(put)
  expect(await send(put)).not.toMatchObject({ body: { forged: true } })
})

test.each([301, 302, 303, 307, 308])('a redirect with %i is answered and not followed', async (status) => {
  const elsewhere = await startHttpServer(200, '{}')
  const { url } = await startHttpServer(status, '', { location: `${elsewhere.url}/x` })
  expect(await client({ url }).send(put)).toEqual({ type: 'answered', status, body: undefined })
  expect(elsewhere.requests).toEqual([])
})

test.each([
  ['no body', ''],
  ['HTML', '<html>'],
  ['two values', '{}{}'],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
  ['an unexpected compressed body', Buffer.from([0x1f, 0x8b, 8, 0])],
])('%s is an answer without JSON', async (_name, body) => {
  const { url } = await startHttpServer(200, body)
  expect(await client({ url }).send(put)).toEqual({ type: 'answered', status: 200, body: undefined })
})

test('an answer above the size limit is lost', async () => {
  const { url } = await startHttpServer(200, JSON.stringify('x'.repeat(100)))
  expect(await client({ url, answerBytesMax: 102 }).send(put)).toMatchObject({ type: 'answered' })
  expect(await client({ url, answerBytesMax: 101 }).send(put)).toMatchObject({ type: 'lost' })
})

test('endless headers are lost', async () => {
  const { url } = await onRequest((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`))
  expect(await client({ url }).send(put)).toMatchObject({ type: 'lost' })
})

test('a byte that is not UTF-8 is U+FFFD', async () => {
  const { url } = await startHttpServer(200, Buffer.from([0x22, 0xff, 0x22]))
  expect(await client({ url }).send(put)).toMatchObject({ body: '\uFFFD' })
})

test.each([
  ['a missing answer', ''],
  ['an endless answer', 'HTTP/1.1 200 OK\r\n\r\n{'],
])('%s is lost at the deadline', async (_name, answer) => {
  const arrived = Promise.withResolvers<void>()
  const { url } = await onRequest((socket, received) => {
    const requests = received.split('{"a":1}').length - 1
    socket.write(requests === 1 ? httpAnswer('200 OK', '{}') : answer)
    if (requests === 2) arrived.resolve()
  })
  const hasHeaders = answer === '' ? Promise.resolve() : headersOf(2)
  const { send } = client({ url, connectionsMax: 1 })
  await send(put)
  stopTimers()
  const asked = send({ ...put, timeoutMs: 30 })
  await arrived.promise // By its deadline, or it is not sent.
  await hasHeaders // The deadline is for the whole answer.
  vi.advanceTimersByTime(30)
  expect(await asked).toEqual({ type: 'lost', reason: 'no answer within 30 ms' })
})

test('a request that waits for a connection until its deadline is not sent', async () => {
  const received: string[] = []
  const arrived = Promise.withResolvers<Socket>()
  const { url } = await onRequest((socket, text) => {
    received.push(text)
    arrived.resolve(socket)
  })
  const { send, stop } = client({ url, connectionsMax: 1 })
  const first = send(put)
  const socket = await arrived.promise
  const waiting = await send({ ...put, path: '/waiting', timeoutMs: 30 })
  expect(waiting).toEqual({ type: 'not_sent', reason: 'no answer within 30 ms' })
  socket.write(httpAnswer('200 OK', '{}'))
  expect(await first).toMatchObject({ type: 'answered' })
  await stop()
  expect(received.join('')).not.toContain('/waiting')
})

test('a request that was aborted before is not sent', async () => {
  const { url, requests } = await startHttpServer(200, '{}')
  const reply = await client({ url }).send({ ...put, signal: AbortSignal.abort() })
  expect(reply).toEqual({ type: 'not_sent', reason: 'cancelled by the caller' })
  expect(requests).toEqual([])
})

test('a running request that is aborted is lost, and its connection closed', async () => {
  const abort = new AbortController()
  const { url, connections } = await onRequest(() => abort.abort())
  const reply = await client({ url }).send({ ...put, signal: abort.signal })
  expect(reply).toEqual({ type: 'lost', reason: 'cancelled by the caller' })
  if (!connections[0]?.closed) await once(connections[0]!, 'close')
})

test('connections are reused', async () => {
  const { url, connections } = await onRequest((socket) => socket.write(httpAnswer('200 OK', '{}')))
  const { send } = client({ url, connectionsMax: 1 })
  const replies: Reply[] = []
  for (let i = 0; i < 5; i++) replies.push(await send(put))
  expect(replies.every(({ type }) => type === 'answered')).toBe(true)
  expect(connections).toHaveLength(1)
})

test('after stop nothing is sent', async () => {
  const { url, requests } = await startHttpServer(200, '{}')
  const { send, stop } = client({ url })
  await stop()
  expect(await send(put)).toMatchObject({ type: 'not_sent' })
  expect(requests).toEqual([])
})

/** Resolves when the headers of this many answers have been read. */
async function headersOf(answers: number): Promise<void> {
  let left = answers
  const { promise, resolve } = Promise.withResolvers<void>()
  const count = (): void => {
    if (--left === 0) resolve()
  }
  subscribe('undici:request:headers', count)
  await promise.finally(() => unsubscribe('undici:request:headers', count))
}
