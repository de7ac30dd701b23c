import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { httpWebhookSender } from './http-sender.ts'
import { answerEach, requestTo, startReceiver, startSender } from './receiver.fixture.ts'
import { steppedTime, until } from './stepped-time.fixture.ts'

/** Writes a piece every `everyMs` once the request has arrived, until the connection is closed. */
const drip =
  (beginning: string, everyMs: number, next: () => string) =>
  (socket: Socket): void => {
    socket.once('data', () => {
      socket.write(beginning)
      const timer = setInterval(() => socket.write(next()), everyMs)
      socket.on('close', () => clearInterval(timer))
    })
  }

/** Writes as fast as the connection accepts it. */
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
  await until(() => sockets.every(({ destroyed }) => destroyed))
  expect(sockets.map(({ destroyed }) => destroyed)).not.toContain(false)
}

/** Resolves when the receiver has written three more pieces, which the sender has read. */
async function threeMore(sockets: readonly Socket[]): Promise<void> {
  const written = (): number => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  for (let pieces = 0; pieces < 3; pieces += 1) {
    const before = written()
    await until(() => written() > before)
  }
}

test('a receiver that never answers times out, and its connection is closed', async () => {
  const arrived = Promise.withResolvers<void>()
  const { url, sockets } = await startReceiver((socket) => socket.once('data', () => arrived.resolve()))
  const sender = startSender({ timeoutMs: 150 })
  const step = steppedTime()
  const ended = vi.fn()
  void sender.send(requestTo(url)).then(ended)
  await arrived.promise
  await step(149)
  expect(ended).not.toHaveBeenCalled()
  await step(1)
  const timedOut = { statusCode: null, error: 'TIMEOUT', excerpt: null, latencyMs: 150 }
  expect(ended).toHaveBeenCalledOnce()
  expect(ended).toHaveBeenCalledWith(timedOut)
  await expectClosed(sockets)
})

test('spec §6, §8 — an attempt times out after 10 seconds without headers, not before', async () => {
  const arrived = Promise.withResolvers<void>()
  const { url, sockets } = await startReceiver((socket) => socket.once('data', () => arrived.resolve()))
  const sender = httpWebhookSender({ allowPrivate: true })
  onTestFinished(() => sender.stop())
  const step = steppedTime()
  const ended = vi.fn()
  void sender.send(requestTo(url)).then(ended)
  await arrived.promise
  await step(9_999)
  expect(ended).not.toHaveBeenCalled()
  await step(1)
  const timedOut = { statusCode: null, error: 'TIMEOUT', excerpt: null, latencyMs: 10_000 }
  expect(ended).toHaveBeenCalledExactlyOnceWith(timedOut)
  await expectClosed(sockets)
})

test.each([
  ['its status line', drip('HTTP/1.1 200 ', 10, () => 'O')],
  ['its headers', drip(head, 10, () => 'x-a: b\r\n')],
  ['one header', drip(`${head}x-a: `, 10, () => 'b')],
  ['early hints', drip('', 10, () => 'HTTP/1.1 103 Early Hints\r\n\r\n')],
])('a receiver that drips %s does not restart the timeout', async (_, serve) => {
  const { url, sockets } = await startReceiver(serve)
  const sender = startSender({ timeoutMs: 300 })
  const step = steppedTime()
  const ended = vi.fn()
  void sender.send(requestTo(url)).then(ended)
  await threeMore(sockets)
  await step(299)
  expect(ended).not.toHaveBeenCalled()
  await threeMore(sockets)
  await step(1)
  const timedOut = { statusCode: null, error: 'TIMEOUT', excerpt: null, latencyMs: 300 }
  expect(ended).toHaveBeenCalledExactlyOnceWith(timedOut)
  await expectClosed(sockets)
})

test('a receiver that drips its body has succeeded; the body is read for a second', async () => {
  const arrived = Promise.withResolvers<Socket>()
  const { url, sockets } = await startReceiver((socket) => socket.once('data', () => arrived.resolve(socket)))
  const sender = startSender({ timeoutMs: 60_000 })
  const step = steppedTime()
  const ended = vi.fn()
  void sender.send(requestTo(url)).then(ended)
  const socket = await arrived.promise
  await step(40)
  drip(`${head}content-length: 100000\r\n\r\n`, 10, () => 'o')(socket)
  socket.emit('data', '')
  await threeMore(sockets)
  await step(999)
  expect(ended).not.toHaveBeenCalled()
  await step(1)
  // The latency is that of the headers.
  const succeeded = { statusCode: 200, error: null, latencyMs: 40 }
  expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(succeeded))
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ excerpt: expect.stringMatching(/^o+$/) }))
  await expectClosed(sockets)
})

test('the timeout of an attempt ends the body too', async () => {
  const dripping = drip(`${head}transfer-encoding: chunked\r\n\r\n`, 20, () => '1\r\no\r\n')
  const ended: string[] = []
  const step = steppedTime()
  const receivers = [await startReceiver(dripping), await startReceiver(dripping)]
  const sending = [
    ['long', 60_000],
    ['short', 300],
  ].map(async ([name, timeoutMs], n) => {
    const sender = startSender({ timeoutMs: Number(timeoutMs) })
    const result = await sender.send(requestTo(receivers[n]?.url ?? ''))
    expect(result).toMatchObject({ statusCode: 200, error: null })
    ended.push(String(name))
  })
  for (const { sockets } of receivers) await threeMore(sockets)
  await step(299)
  expect(ended).toEqual([])
  await step(1)
  await sending[1]
  expect(ended).toEqual(['short'])
  await step(700)
  await sending[0]
  expect(ended).toEqual(['short', 'long'])
})

test.each([
  ['without end', flood(`${head}\r\n`, megabyte)],
  ['of an impossible length', flood(`${head}content-length: 9007199254740991\r\n\r\n`, megabyte)],
  ['in endless chunks', flood(`${head}transfer-encoding: chunked\r\n\r\n`, `1000\r\n${'x'.repeat(4096)}\r\n`)],
])('only the beginning of a body %s is read', async (_, serve) => {
  const { url, sockets } = await startReceiver(serve)
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: 200, error: null, excerpt: 'x'.repeat(1024) })
  await expectClosed(sockets)
})

test('2 KiB of a body end an attempt before any timeout', async () => {
  const beginning = `${head}content-length: 100000\r\n\r\n${'x'.repeat(2_049)}`
  const { url, sockets } = await startReceiver(answerEach(beginning))
  const sender = startSender()
  steppedTime() // Without a step no timeout ends the attempt.
  const result = await sender.send(requestTo(url))
  expect(result).toMatchObject({ statusCode: 200, error: null, excerpt: 'x'.repeat(1024) })
  await expectClosed(sockets)
})

test('a compressed body is neither decompressed nor shown', async () => {
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
  ['gzip', null],
  ['x-identity', null],
  ['identity, gzip', null],
  ['identity', 'received'],
  ['Identity', 'received'],
])('a body with the encoding %s has the excerpt %s', async (encoding, excerpt) => {
  const { url } = await startReceiver(
    answerEach(`${head}content-encoding: ${encoding}\r\ncontent-length: 8\r\n\r\nreceived`),
  )
  expect(await startSender().send(requestTo(url))).toMatchObject({ statusCode: 200, excerpt })
})

test('16 interim responses are read, the next one is a protocol error', async () => {
  const answer = (interim: number): string =>
    `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(interim)}HTTP/1.1 204 No Content\r\n\r\n`
  for (const [interim, result] of [
    [16, { statusCode: 204, error: null }],
    [17, { statusCode: null, error: 'PROTOCOL' }],
  ] as const) {
    const { url } = await startReceiver(answerEach(answer(interim)))
    expect(await startSender().send(requestTo(url))).toMatchObject(result)
  }
})

test.each([
  ['1xx responses', flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ['100s', flood('', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ['headers', flood(head, filler)],
  ['one header', flood(`${head}x-a: `, 'x'.repeat(65_536))],
  ['garbage', flood('', megabyte)],
])('a flood of %s is a protocol error, before any timeout', async (_, serve) => {
  const { url, sockets } = await startReceiver(serve)
  const sender = startSender()
  steppedTime() // Without a step no timeout ends the attempt.
  const result = await sender.send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'PROTOCOL', excerpt: null })
  expect(result.latencyMs).toBe(0)
  await expectClosed(sockets)
})

test.each([
  ['a greeting of another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['HTTP/0.9', '<html>hello</html>'],
  ['another version', 'HTTP/9.9 200 OK\r\n\r\n'],
  ['an invalid status', 'HTTP/1.1 2OO OK\r\n\r\n'],
  ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
  ['a length and chunks', `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a header with NUL', `${head}x-a: \0\r\n\r\n`],
  ['a switch to another protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ['TLS', Buffer.from([0x15, 3, 1, 0, 2, 2, 70])],
])('%s is a protocol error', async (_, response) => {
  const { url } = await startReceiver((socket) => {
    socket.once('data', () => socket.write(response))
  })
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'PROTOCOL', excerpt: null })
})

test.each([
  ['immediately', (socket: Socket) => void socket.resetAndDestroy()],
  ['after the request', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
  ['without a response', (socket: Socket) => void socket.once('data', () => socket.end())],
  ['within its headers', (socket: Socket) => void socket.once('data', () => socket.end(head.slice(0, -10)))],
])('a receiver that closes the connection %s has not answered', async (_, serve) => {
  const { url } = await startReceiver(serve)
  const result = await startSender().send(requestTo(url))
  expect(result).toMatchObject({ statusCode: null, error: 'CONNECTION_RESET', excerpt: null })
})

test('a receiver that closes the connection within its body has succeeded', async () => {
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

test('a port without a listener refuses the connection', async () => {
  const { url, port } = await startReceiver(() => {})
  const free = url.replace(String(port), '1')
  const result = await startSender().send(requestTo(free))
  expect(result).toMatchObject({ statusCode: null, error: 'CONNECTION_REFUSED', excerpt: null })
})

test('a resolver that never answers times out', async () => {
  const sender = startSender({ timeoutMs: 100, resolve: () => new Promise(() => {}) })
  const result = await sender.send(requestTo('http://slow.example.com/'))
  expect(result).toMatchObject({ statusCode: null, error: 'TIMEOUT', excerpt: null })
})
