import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { httpWebhookSender } from './http-sender.ts'
import { answerEach, requestTo, startReceiver, startSender } from './receiver.fixture.ts'

/** Once something was sent, writes again and again as fast as it is told until the connection is gone. */
const drip =
  (beginning: string, everyMs: number, next: () => string | Uint8Array) =>
  (socket: Socket): void => {
    socket.once('data', () => {
      socket.write(beginning)
      const timer = setInterval(() => socket.write(next()), everyMs)
      socket.on('close', () => clearInterval(timer))
    })
  }

/** As fast as the connection takes it. */
const flood =
  (beginning: string, next: string | Uint8Array) =>
  (socket: Socket): void => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(next));
    }
    socket.on('drain', pour)
    socket.once('data', () => {
      socket.write(beginning)
      pour()
    })
  }

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'
const megabyte = Buffer.alloc(2 ** 20, 'x')
const filler = `x-filler: ${'x'.repeat(500)}\r\n`

async function expectClosed(sockets: readonly Socket[]): Promise<void> {
  await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).not.toContain(false))
}

test('one that never answers is given up in time, and its connection closed', async () => {
  const { url, sockets } = await startReceiver((socket) => socket.resume())
  const result = await startSender({ timeoutMs: 150 }).send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'TIMEOUT', excerpt: null })
  expect(result.latencyMs).toBeGreaterThanOrEqual(149)
  expect(result.latencyMs).toBeLessThan(2_000)
  await expectClosed(sockets)
})

test('spec §6, §8 — a receiver has 10 seconds to answer: then it is given up, and not before', async () => {
  const arrived = Promise.withResolvers<void>()
  const { url } = await startReceiver((socket) => socket.once('data', () => arrived.resolve()))
  const sender = httpWebhookSender({ allowPrivate: true })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.advanceTimersByTime(60_000) // So that nothing is in flight any more, whatever has failed.
    vi.useRealTimers()
    return sender.stop()
  })
  const told = vi.fn()
  void sender.send(requestTo(url)).then(told)
  await arrived.promise
  await vi.advanceTimersByTimeAsync(9_999)
  expect(told).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(told).toHaveBeenCalledWith(expect.objectContaining({ error: 'TIMEOUT' }))
})

test.each([
  ['its status line', drip('HTTP/1.1 200 ', 10, () => 'O')],
  ['its headers', drip(head, 10, () => 'x-a: b\r\n')],
  ['one header', drip(`${head}x-a: `, 10, () => 'b')],
  ['early hints', drip('', 60, () => 'HTTP/1.1 103 Early Hints\r\n\r\n')],
])('one that drips %s is given up in time', async (_, serve) => {
  const { url, sockets } = await startReceiver(serve)
  const result = await startSender({ timeoutMs: 300 }).send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'TIMEOUT', excerpt: null })
  expect(result.latencyMs).toBeLessThan(2_000)
  await expectClosed(sockets)
})

test('one that drips its body has answered; the body is left after a second', async () => {
  const { url, sockets } = await startReceiver(
    drip(`${head}content-length: 100000\r\n\r\n`, 20, () => 'o'),
  )
  const began = performance.now()
  const result = await startSender({ timeoutMs: 60_000 }).send(requestTo(url))
  expect(result).toMatchObject({ statusCode: 200, error: null })
  expect(result.excerpt).toMatch(/^o{1,60}$/)
  // The latency is that of the answer's headers.
  expect(result.latencyMs).toBeLessThan(performance.now() - began - 900)
  await expectClosed(sockets)
})

test('a body never makes an attempt longer than its time', async () => {
  const { url } = await startReceiver(
    drip(`${head}transfer-encoding: chunked\r\n\r\n`, 20, () => '1\r\no\r\n'),
  )
  const ended: string[] = []
  const sending = [
    ['long', 60_000],
    ['short', 300],
  ].map(async ([name, timeoutMs]) => {
    const sender = startSender({ timeoutMs: Number(timeoutMs) })
    const result = await sender.send(requestTo(url))
    expect(result).toMatchObject({ statusCode: 200, error: null })
    ended.push(String(name))
  })
  await Promise.all(sending)
  expect(ended).toEqual(['short', 'long'])
})

test.each([
  ['without end', flood(`${head}\r\n`, megabyte)],
  [
    'of a length that nobody can send',
    flood(`${head}content-length: 9007199254740991\r\n\r\n`, megabyte),
  ],
  [
    'in endless chunks',
    flood(`${head}transfer-encoding: chunked\r\n\r\n`, `1000\r\n${'x'.repeat(4096)}\r\n`),
  ],
])('of a body %s only the beginning is read', async (_, serve) => {
  const { url, sockets } = await startReceiver(serve)
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: 200, error: null, excerpt: 'x'.repeat(1024) })
  await expectClosed(sockets)
})

test('a compressed body is neither unpacked nor shown', async () => {
  const bomb = gzipSync(Buffer.alloc(2 ** 24))
  const { url, sockets } = await startReceiver((socket) => {
    socket.once('data', () => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
  })
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: 200, error: null, excerpt: null })
  await expectClosed(sockets)
})

test.each([
  ['1xx answers', flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ['100s', flood('', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ['headers', flood(head, filler)],
  ['one header', flood(`${head}x-a: `, 'x'.repeat(65_536))],
  ['garbage', flood('', megabyte)],
])('a flood of %s is no answer, and ended at once', async (_, serve) => {
  const { url, sockets } = await startReceiver(serve)
  const result = await startSender({ timeoutMs: 20_000 }).send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'PROTOCOL', excerpt: null })
  expect(result.latencyMs).toBeLessThan(10_000)
  await expectClosed(sockets)
})

test.each([
  ['a greeting of another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['HTTP/0.9', '<html>hello</html>'],
  ['another version', 'HTTP/9.9 200 OK\r\n\r\n'],
  ['a status that is none', 'HTTP/1.1 2OO OK\r\n\r\n'],
  ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
  [
    'a length and chunks',
    `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a header with NUL', `${head}x-a: \0\r\n\r\n`],
  [
    'another protocol from now on',
    'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ],
  ['TLS', Buffer.from([0x15, 3, 1, 0, 2, 2, 70])],
])('%s is no answer', async (_, answer) => {
  const { url } = await startReceiver((socket) => {
    socket.once('data', () => socket.write(answer))
  })
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'PROTOCOL', excerpt: null })
})

test.each([
  ['at once', (socket: Socket) => void socket.resetAndDestroy()],
  [
    'when it has read',
    (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy()),
  ],
  ['without a word', (socket: Socket) => void socket.once('data', () => socket.end())],
  [
    'amid its headers',
    (socket: Socket) => void socket.once('data', () => socket.end(head.slice(0, -10))),
  ],
])('one that closes the connection %s has not answered', async (_, serve) => {
  const { url } = await startReceiver(serve)
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'CONNECTION_RESET', excerpt: null })
})

test('one that closes the connection amid its body has answered', async () => {
  const { url } = await startReceiver((socket) => {
    socket.once('data', () => {
      socket.end(`${head}content-length: 100\r\n\r\nreceived`)
    })
  })
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: 200, error: null, excerpt: 'received' })
})

test('a redirect is not followed', async () => {
  const elsewhere = await startReceiver(answerEach('HTTP/1.1 204 No Content\r\n\r\n'))
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    const { url } = await startReceiver(
      answerEach(`HTTP/1.1 ${status} X\r\nlocation: ${elsewhere.url}\r\ncontent-length: 0\r\n\r\n`),
    )
    const result = await startSender().send(requestTo(url))
    expect(result).toMatchObject({ statusCode: status, error: 'REDIRECT', excerpt: null })
  }
  expect(elsewhere.sockets).toHaveLength(0)
})

test('nobody listens', async () => {
  const { url, port } = await startReceiver(() => {})
  const free = url.replace(String(port), '1')
  const result = await startSender().send(requestTo(free))
  expect(result).toMatchObject({ statusCode: null, error: 'CONNECTION_REFUSED', excerpt: null })
})

test('a resolver that never answers is given up in time', async () => {
  const sender = startSender({ timeoutMs: 100, resolve: () => new Promise(() => {}) })
  const result = await sender.send(requestTo('http://slow.example.com/'))
  expect(result).toMatchObject({ statusCode: null, error: 'TIMEOUT', excerpt: null })
})
