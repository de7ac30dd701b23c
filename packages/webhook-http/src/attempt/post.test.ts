import { buildConnector, Pool } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { post } from './post.ts'
import { answerEach, requestTo, startReceiver } from './receiver.fixture.ts'
import { steppedTime, until } from './stepped-time.fixture.ts'

test('a request whose deadline passes while it waits for a connection is not sent, and the connection is kept', async () => {
  const receiver = await startReceiver(() => {})
  const url = new URL(receiver.url)
  const gate = Promise.withResolvers<void>()
  const connect = buildConnector({})
  const pool = new Pool(url.origin, {
    connect: (options, callback) => void gate.promise.then(() => connect(options, callback)),
    connections: 1,
  })
  const { headers, body } = requestTo(receiver.url)
  const send = () => post(pool, { url, headers, body, timeoutMs: 50 })
  const results = await Promise.all([send(), send(), send()])
  expect(results.map(({ error }) => error)).toEqual(['TIMEOUT', 'TIMEOUT', 'TIMEOUT'])
  gate.resolve()
  // Then the pool has discarded them.
  await pool.close()
  await until(() => receiver.sockets.some(({ destroyed }) => destroyed))
  expect(receiver.sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  expect(receiver.received()).toBe('')
})

test('a closed pool is a result, not an exception', async () => {
  const { url, sockets } = await startReceiver(() => {})
  const pool = new Pool(new URL(url).origin)
  await pool.close()
  const result = await post(pool, { ...requestTo(url), url: new URL(url), timeoutMs: 1_000 })
  expect(result).toMatchObject({ statusCode: null, error: 'PROTOCOL', excerpt: null })
  expect(sockets).toHaveLength(0)
})

test('an attempt that has ended has no deadline left, and its connection is kept', async () => {
  const { url, sockets } = await startReceiver(answerEach('HTTP/1.1 204 No Content\r\n\r\n'))
  const pool = new Pool(new URL(url).origin, { connections: 1 })
  onTestFinished(() => pool.close())
  const step = steppedTime()
  const send = () => post(pool, { ...requestTo(url), url: new URL(url), timeoutMs: 2_000 })
  expect(await send()).toMatchObject({ statusCode: 204 })
  // Undici has one of its own.
  const timers = vi.getTimerCount()
  await step(2_000)
  expect(vi.getTimerCount()).toBe(timers)
  expect(await send()).toMatchObject({ statusCode: 204 })
  expect(sockets).toHaveLength(1)
})
