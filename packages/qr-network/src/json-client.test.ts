import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type ClientOptions, jsonClient, type JsonClient, type Reply } from './json-client.ts'
import { answering, nobody, talking as talkingTcp } from './test-servers.ts'

const put = { method: 'PUT', path: '/x', body: { a: 1 }, timeoutMs: 10_000 } as const

function client(options: Omit<ClientOptions, 'token'>): JsonClient {
  const made = jsonClient({ token: 'secret', ...options })
  onTestFinished(() => made.stop())
  return made
}

/** A server that talks whenever the last byte of a request has come. */
const talking = (talk: (socket: Socket, heard: string) => void): ReturnType<typeof talkingTcp> =>
  talkingTcp((socket, heard) => {
    if (heard.endsWith('{"a":1}')) talk(socket, heard)
  })

const httpAnswer = (head: string, body: string): string =>
  `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`

test('sends the bearer token and JSON, under the prefix of its URL', async () => {
  const heard: string[] = []
  const { url } = await talking((socket, text) => {
    heard.push(text)
    socket.end(httpAnswer('200 OK', '{"ok":true}'))
  })
  const reply = await client({ url: `${url}/prefix/` }).ask(put)
  expect(reply).toEqual({ type: 'answered', status: 200, body: { ok: true } })
  expect(heard.join('')).toMatch(/^PUT \/prefix\/x HTTP\/1\.1\r\n/)
  expect(heard.join('')).toContain('authorization: Bearer secret\r\n')
  expect(heard.join('')).toContain('content-type: application/json\r\n')
  expect(heard.join('')).toMatch(/\r\n\r\n\{"a":1\}$/)
})

test('a refused connection sent nothing', async () => {
  expect(await client({ url: await nobody() }).ask(put)).toEqual({
    type: 'not_sent',
    reason: 'ECONNREFUSED',
  })
})

test('a name that does not resolve sent nothing', async () => {
  const reply = await client({ url: 'http://no-such-host.invalid' }).ask(put)
  expect(reply).toMatchObject({ type: 'not_sent' })
})

test('a server that does not speak TLS was sent nothing', async () => {
  const { url } = await talkingTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const reply = await client({ url: url.replace('http:', 'https:') }).ask(put)
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
  ['a status that is none', 'HTTP/1.1 2x0 OK\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}}'],
  ['an unasked continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  [
    'a change of protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ],
])('%s is lost, and nothing is sent again', async (_name, answer) => {
  const { url, connections } = await talking((socket) => {
    if (answer === null) socket.resetAndDestroy()
    else socket.end(answer)
  })
  expect(await client({ url }).ask(put)).toMatchObject({ type: 'lost' })
  expect(connections).toHaveLength(1)
})

test('a kept connection that breaks under a request is lost, never sent again', async () => {
  const { url, connections } = await talking((socket, heard) => {
    const requests = heard.split('{"a":1}').length - 1
    if (requests === 1) socket.write(httpAnswer('200 OK', '{}'))
    if (requests === 2) socket.resetAndDestroy()
  })
  const { ask } = client({ url, connectionsMax: 1 })
  expect(await ask(put)).toMatchObject({ type: 'answered' })
  expect(await ask(put)).toMatchObject({ type: 'lost' })
  expect(connections).toHaveLength(1)
})

test('a kept connection that the other side has closed is not used again', async () => {
  const { url, connections } = await talking((socket) => socket.write(httpAnswer('200 OK', '{}')))
  const { ask } = client({ url, connectionsMax: 1 })
  await ask(put)
  connections[0]?.end()
  await once(connections[0]!, 'close')
  expect(await ask(put)).toMatchObject({ type: 'answered' })
  expect(connections).toHaveLength(2)
})

test('an answer that was sent ahead of its question answers nothing', async () => {
  const forged = httpAnswer('200 OK', '{"forged":true}')
  const { url } = await talking((socket, heard) => {
    if (heard.split('PUT').length === 2) socket.write(httpAnswer('200 OK', '{}') + forged)
    else socket.end(httpAnswer('200 OK', '{"true":true}'))
  })
  const { ask } = client({ url, connectionsMax: 1 })
  await ask(put)
  expect(await ask(put)).not.toMatchObject({ body: { forged: true } })
})

test.each([301, 302, 303, 307, 308])(
  'a redirect by %i is an answer, not followed',
  async (status) => {
    const elsewhere = await answering(200, '{}')
    const { url } = await answering(status, '', { location: `${elsewhere.url}/x` })
    expect(await client({ url }).ask(put)).toEqual({ type: 'answered', status, body: undefined })
    expect(elsewhere.seen).toEqual([])
  },
)

test.each([
  ['no body', ''],
  ['HTML', '<html>'],
  ['two values', '{}{}'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a compressed body nobody asked for', Buffer.from([0x1f, 0x8b, 8, 0])],
])('%s is an answer without JSON', async (_name, body) => {
  const { url } = await answering(200, body)
  expect(await client({ url }).ask(put)).toEqual({ type: 'answered', status: 200, body: undefined })
})

test('an answer of more bytes than allowed is lost', async () => {
  const { url } = await answering(200, JSON.stringify('x'.repeat(100)))
  expect(await client({ url, answerBytesMax: 102 }).ask(put)).toMatchObject({ type: 'answered' })
  expect(await client({ url, answerBytesMax: 101 }).ask(put)).toMatchObject({ type: 'lost' })
})

test('headers without end are lost', async () => {
  const { url } = await talking((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`),
  )
  expect(await client({ url }).ask(put)).toMatchObject({ type: 'lost' })
})

test('no answer in time is lost, and so is one that never ends', async () => {
  const silent = await talking(() => {})
  const endless = await talking((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n{'))
  for (const { url } of [silent, endless]) {
    const reply = await client({ url }).ask({ ...put, timeoutMs: 30 })
    expect(reply).toEqual({ type: 'lost', reason: 'no answer within 30 ms' })
  }
})

test('a request that waits for a connection until its time is up is never sent', async () => {
  const heard: string[] = []
  let answer = (): void => {}
  const { url } = await talking((socket, text) => {
    heard.push(text)
    answer = () => socket.write(httpAnswer('200 OK', '{}'))
  })
  const { ask, stop } = client({ url, connectionsMax: 1 })
  const first = ask(put)
  const waiting = await ask({ ...put, path: '/waiting', timeoutMs: 30 })
  expect(waiting).toEqual({ type: 'not_sent', reason: 'no answer within 30 ms' })
  answer()
  expect(await first).toMatchObject({ type: 'answered' })
  await stop()
  expect(heard.join('')).not.toContain('/waiting')
})

test('a request that was called off before it began is never sent', async () => {
  const { url, seen } = await answering(200, '{}')
  const reply = await client({ url }).ask({ ...put, signal: AbortSignal.abort() })
  expect(reply).toEqual({ type: 'not_sent', reason: 'called off' })
  expect(seen).toEqual([])
})

test('a request that is called off under way is lost, and its connection closed', async () => {
  const question = new AbortController()
  const { url, connections } = await talking(() => question.abort())
  const reply = await client({ url }).ask({ ...put, signal: question.signal })
  expect(reply).toEqual({ type: 'lost', reason: 'called off' })
  if (!connections[0]?.closed) await once(connections[0]!, 'close')
})

test('connections are used again', async () => {
  const { url, connections } = await talking((socket) => socket.write(httpAnswer('200 OK', '{}')))
  const { ask } = client({ url, connectionsMax: 1 })
  const replies: Reply[] = []
  for (let i = 0; i < 5; i++) replies.push(await ask(put))
  expect(replies.every(({ type }) => type === 'answered')).toBe(true)
  expect(connections).toHaveLength(1)
})

test('after stop nothing is sent', async () => {
  const { url, seen } = await answering(200, '{}')
  const { ask, stop } = client({ url })
  await stop()
  expect(await ask(put)).toMatchObject({ type: 'not_sent' })
  expect(seen).toEqual([])
})
