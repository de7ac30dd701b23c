import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Listener, listen } from './listener.ts'

const anyPort = { host: '127.0.0.1', port: 0 }

/** Sends the start of a request and then one chunk every 20 ms. @returns the answer */
async function drip({ url }: Listener, start: string, chunk: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answered = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answered += text))
  socket.on('error', () => undefined) // The last chunks meet a closed connection.
  socket.write(start)
  const dripping = setInterval(() => socket.write(chunk), 20)
  await once(socket, 'close')
  clearInterval(dripping)
  return answered
}

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-More: x\r\n'],
  ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n', 'x'],
])('a slow sender of %s is answered 408 and disconnected at the timeout', async (_, start, chunk) => {
  const timeouts = { headers: 200, request: 400, unread: 30_000, lastBody: 1_000 }
  const listener = await listen((req) => void req.resume(), anyPort, { timeouts })
  expect(await drip(listener, start, chunk)).toMatch(/^HTTP\/1\.1 408 /)
  await listener.stop(1_000)
})

test.each([
  ['nothing', ''],
  ['half a header', 'GET / HTTP/1.1\r\nHo'],
])('hundreds of silent connections that sent %s are closed at the timeout, and others are served', async (_, start) => {
  const timeouts = { headers: 500, request: 1_000, unread: 30_000, lastBody: 1_000 }
  const listener = await listen((_req, res) => void res.end('served'), anyPort, { timeouts })
  const port = Number(new URL(listener.url).port)
  const closed = Array.from({ length: 300 }, async () => {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume()
    await once(socket, 'connect')
    if (start !== '') socket.write(start)
    await once(socket, 'close')
  })
  expect(await (await fetch(listener.url)).text()).toBe('served')
  await Promise.all(closed)
  await listener.stop(1_000)
})

/** Larger than the socket buffers of both sides. */
const answer = Buffer.alloc(64 * 1024 * 1024)
const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const shortUnread = { headers: 10_000, request: 30_000, unread: 100, lastBody: 1_000 }

test('a client that does not read its answer is disconnected', async () => {
  const answered = Promise.withResolvers<ServerResponse>()
  const app: RequestListener = (_req, res) => {
    res.once('close', () => answered.resolve(res)).end(answer)
  }
  const listener = await listen(app, anyPort, { timeouts: shortUnread })
  const client = connect(Number(new URL(listener.url).port), '127.0.0.1')
  client.on('error', () => undefined).pause()
  client.write(request)
  const { writableFinished, socket } = await answered.promise
  expect(writableFinished).toBe(false)
  expect(socket?.destroyed ?? true).toBe(true)
  client.destroy()
  await listener.stop(1_000)
})

test('an idle connection is kept while the app works on an answer', async () => {
  const app: RequestListener = ({ socket }, res) => {
    socket.once('timeout', () => res.end('late'))
  }
  const listener = await listen(app, anyPort, { timeouts: shortUnread })
  const client = connect(Number(new URL(listener.url).port), '127.0.0.1')
  client.write(request)
  let text = ''
  for await (const chunk of client.setEncoding('utf8')) text += String(chunk)
  expect(text).toMatch(/^HTTP\/1\.1 200 .*late/s)
  await listener.stop(1_000)
})

test('every answer forbids browsers to guess its type, also one to bytes that are no request', async () => {
  const listener = await listen((_req, res) => res.writeHead(200, { A: 'b' }).end('x'), anyPort)
  const { headers } = await fetch(listener.url)
  expect([headers.get('a'), headers.get('x-content-type-options')]).toEqual(['b', 'nosniff'])
  const refused = await drip(listener, 'GARBAGE\r\n\r\n', '')
  expect(refused).toContain('X-Content-Type-Options: nosniff\r\n')
  expect(refused).toContain('Cache-Control: no-store\r\n')
  await listener.stop(1_000)
})

test('bytes that are no request get the answer that the app gives', async () => {
  const why: string[] = []
  const answerRefused = (reason: string): string => {
    why.push(reason)
    return 'HTTP/1.1 400 Bad Request\r\nContent-Length: 4\r\nConnection: close\r\n\r\nours'
  }
  const listener = await listen(() => undefined, anyPort, { answerRefused })
  expect(await drip(listener, 'no request\r\n\r\n', '')).toMatch(/ours$/)
  expect(why).toEqual(['not_http'])
  await listener.stop(1_000)
})

const whole = 'GET /whole HTTP/1.1\r\nHost: x\r\n\r\n'

test.each([
  ['half a header', 'GET / HTTP/1.1\r\nHo'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'],
  ['nothing', ''],
  ['half a header after an answer', `${whole}GET /`],
])('%s does not hold up a stop, which finishes what has arrived', async (_, sent) => {
  const running = Promise.withResolvers<ServerResponse>()
  const began = Promise.withResolvers<void>()
  const app: RequestListener = (req, res) => {
    if (req.url === '/running') running.resolve(res)
    else if (req.url === '/whole') res.end('whole')
    else began.resolve()
  }
  const timeouts = { headers: 60_000, request: 60_000, unread: 60_000, lastBody: 1 }
  const listener = await listen(app, anyPort, { timeouts })
  const [client, unfinished] = [0, 1].map(() => connect(Number(new URL(listener.url).port)))
  if (!client || !unfinished) throw new Error('no sockets')
  let answered = ''
  client.setEncoding('utf8').on('data', (text: string) => (answered += text))
  const ended = new Promise((resolve) => client.once('close', resolve))
  client.write('GET /running HTTP/1.1\r\nHost: x\r\n\r\n')
  const cut = new Promise((resolve) => unfinished.once('close', resolve))
  unfinished.on('error', () => undefined).resume() // A reset.
  await once(unfinished, 'connect')
  unfinished.write(sent)
  if (sent.startsWith('POST')) await began.promise
  const res = await running.promise

  const stopped = listener.stop(60_000)
  await cut
  res.end('late')

  expect(await stopped).toBe(true)
  await ended
  expect(answered).toMatch(/^HTTP\/1\.1 200 .*late/s)
})
