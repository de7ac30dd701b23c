import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { guardedSender, httpWebhookSender } from './http-sender.ts'
import { requestTo, startSender } from './receiver.fixture.ts'
import { until } from './stepped-time.fixture.ts'
import { systemNames } from '../target/resolve-name.ts'

type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver with an HTTP server that follows the protocol. */
async function startServer(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() })
      answer(response, request)
    })
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}/hook?a=%20b&c`, port, received, sockets }
}

const closed = async (sockets: ReadonlySet<Socket>): Promise<void> => {
  await until(() => [...sockets].every(({ destroyed }) => destroyed))
  expect([...sockets].every(({ destroyed }) => destroyed)).toBe(true)
}

const ok = (response: ServerResponse): void => void response.writeHead(204).end()

test('sends one POST with the bytes and headers of the request', async () => {
  const { url, port, received } = await startServer(ok)
  const body = Buffer.from('{"note":"año ✓"}')
  const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': 't=1,v1=ab' }
  const result = await startSender().send({ url, headers, body })
  expect(result).toMatchObject({ statusCode: 204, error: null, excerpt: null })
  expect(Number.isInteger(result.latencyMs)).toBe(true)
  expect(received).toEqual([
    {
      method: 'POST',
      path: '/hook?a=%20b&c',
      body: '{"note":"año ✓"}',
      headers: {
        host: `127.0.0.1:${port}`,
        connection: 'keep-alive',
        'user-agent': 'Quipu-Webhooks/1',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'content-length': '19',
        'x-service-signature': 't=1,v1=ab',
      },
    },
  ])
})

test('sends a part of a larger buffer without the rest', async () => {
  const { url, received } = await startServer(ok)
  const body = new Uint8Array(Buffer.from('xx{"id":1}xx')).subarray(2, 10)
  await startSender().send({ url, headers: {}, body })
  expect(received.map((each) => each.body)).toEqual(['{"id":1}'])
})

test.each([
  [200, null],
  [201, null],
  [202, null],
  [226, null],
  [299, null],
  [300, 'REDIRECT'],
  [304, 'REDIRECT'],
  [308, 'REDIRECT'],
  [400, 'STATUS'],
  [401, 'STATUS'],
  [404, 'STATUS'],
  [410, 'STATUS'],
  [429, 'STATUS'],
  [500, 'STATUS'],
  [503, 'STATUS'],
  [599, 'STATUS'],
])('status %i has the error %s', async (status, error) => {
  const { url } = await startServer((response) => void response.writeHead(status).end('why'))
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: status, error })
  expect(result.excerpt).toBe(status === 304 ? null : 'why')
})

test('consecutive requests use one connection, whatever the status', async () => {
  const statuses = [200, 204, 404, 500, 302]
  const { url, received, sockets } = await startServer((response) => {
    const status = statuses[received.length % statuses.length] ?? 200
    response.writeHead(status).end(status === 204 ? undefined : 'x'.repeat(2_048))
  })
  const sender = startSender()
  for (let i = 0; i < 25; i += 1) await sender.send(requestTo(url))
  expect(received).toHaveLength(25)
  expect(sockets.size).toBe(1)
})

test('a connection that is in use for a minute is replaced, so that its name is resolved again', async () => {
  const { url, sockets } = await startServer(ok)
  const sender = startSender()
  const startedAt = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(startedAt)
  onTestFinished(() => clock.mockRestore())
  for (const [seconds, connections] of [
    [0, 1],
    [60, 1],
    [61, 2],
    [120, 2],
  ] as const) {
    clock.mockReturnValue(startedAt + seconds * 1_000)
    await sender.send(requestTo(url))
    expect(sockets.size, `after ${seconds} s`).toBe(connections)
  }
})

test('requests wait for one of connectionsPerOrigin connections', async () => {
  const { url, received, sockets } = await startServer(ok)
  const sender = startSender({ connectionsPerOrigin: 3 })
  const results = await Promise.all(Array.from({ length: 30 }, () => sender.send(requestTo(url))))
  expect(results.filter(({ statusCode }) => statusCode === 204)).toHaveLength(30)
  expect(received).toHaveLength(30)
  expect(sockets.size).toBe(3)
})

test('the least recently used origin is closed after its requests have ended', async () => {
  const waiting: ServerResponse[] = []
  const first = await startServer((response) => void waiting.push(response))
  const second = await startServer(ok)
  const third = await startServer(ok)
  const sender = startSender({ maxOrigins: 2 })
  await sender.send(requestTo(second.url))
  const sent = sender.send(requestTo(first.url))
  await until(() => waiting.length > 0)
  expect(waiting).toHaveLength(1)
  await sender.send(requestTo(second.url))
  await sender.send(requestTo(third.url))
  ok(waiting[0]!)
  expect(await sent).toMatchObject({ statusCode: 204 })
  await closed(first.sockets)
  await sender.send(requestTo(second.url))
  expect(second.sockets.size).toBe(1)
})

test('a connection that the receiver has closed is replaced', async () => {
  const { url, received, sockets } = await startServer(ok)
  const sender = startSender()
  await sender.send(requestTo(url))
  for (const socket of sockets) socket.end()
  await closed(sockets)
  expect(await sender.send(requestTo(url))).toMatchObject({ statusCode: 204, error: null })
  expect(received).toHaveLength(2)
  expect(sockets.size).toBe(2)
})

test('early hints before a response are ignored', async () => {
  const { url } = await startServer((response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.end('received')
  })
  expect(await startSender().send(requestTo(url))).toMatchObject({ statusCode: 200, error: null, excerpt: 'received' })
})

test('a stop waits for the requests in flight, and closes every connection', async () => {
  const waiting: ServerResponse[] = []
  const { url, sockets } = await startServer((response) => void waiting.push(response))
  const sender = httpWebhookSender({ allowPrivate: true })
  const sent = [sender.send(requestTo(url)), sender.send(requestTo(url))]
  await until(() => waiting.length > 1)
  expect(waiting).toHaveLength(2)
  let isStopped = false
  const stopping = sender.stop().then(() => (isStopped = true))
  ok(waiting[0]!)
  expect(await Promise.race(sent)).toMatchObject({ statusCode: 204 })
  expect(isStopped).toBe(false)
  ok(waiting[1]!)
  expect(await Promise.all(sent)).toMatchObject([{ statusCode: 204 }, { statusCode: 204 }])
  await stopping
  await closed(sockets)
  await expect(sender.send(requestTo(url))).rejects.toThrow('the webhook sender is stopped')
  await sender.stop()
})

test('a stop waits for the requests of an origin that is no longer kept', async () => {
  const waiting: ServerResponse[] = []
  const first = await startServer((response) => void waiting.push(response))
  const second = await startServer(ok)
  const sender = httpWebhookSender({ allowPrivate: true, maxOrigins: 1 })
  const sent = sender.send(requestTo(first.url))
  await until(() => waiting.length > 0)
  await sender.send(requestTo(second.url))
  const ended: string[] = []
  const stopping = sender.stop().then(() => ended.push('stop'))
  await closed(second.sockets)
  ok(waiting[0]!)
  expect((await sent.finally(() => ended.push('request'))).statusCode).toBe(204)
  await stopping
  expect(ended).toEqual(['request', 'stop'])
})

test('parsed URLs are kept, up to 4,096 at once', async () => {
  const { url } = await startServer(ok)
  const parse = vi.fn((text: string) => (text === url ? new URL(text) : undefined))
  const sender = guardedSender({ parse, isAllowed: () => true }, { resolve: systemNames })
  onTestFinished(() => sender.stop())
  const parsedTimes = async (): Promise<number> => {
    await sender.send(requestTo(url))
    return parse.mock.calls.filter(([text]) => text === url).length
  }
  expect(await parsedTimes()).toBe(1)
  expect(await parsedTimes()).toBe(1)
  for (let i = 1; i < 4_096; i += 1) await sender.send(requestTo(`blocked:${i}`))
  expect(await parsedTimes()).toBe(1)
  for (let i = 1; i < 4_096; i += 1) await sender.send(requestTo(`blocked:${i}`))
  await sender.send(requestTo('blocked:last'))
  expect(await parsedTimes()).toBe(2)
})

test('a stop resolves when nothing is in flight', async () => {
  await expect(httpWebhookSender().stop()).resolves.toBeUndefined()
})
