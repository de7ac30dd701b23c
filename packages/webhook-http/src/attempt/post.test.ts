import { buildConnector, Pool } from 'undici'
import { expect, test, vi } from 'vitest'
import { post } from './post.ts'
import { requestTo, startReceiver } from './receiver.fixture.ts'

test('what waited too long for a connection is never sent, and leaves the connection as it is', async () => {
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
  // All that the pool still had of them is gone then.
  await pool.close()
  await vi.waitFor(() => expect(receiver.sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
  expect(receiver.received()).toBe('')
})

test('a pool that was closed has no connection, and that is a result too', async () => {
  const { url, sockets } = await startReceiver(() => {})
  const pool = new Pool(new URL(url).origin)
  await pool.close()
  const result = await post(pool, { ...requestTo(url), url: new URL(url), timeoutMs: 1_000 })
  expect(result).toMatchObject({ statusCode: null, error: 'PROTOCOL', excerpt: null })
  expect(sockets).toHaveLength(0)
})
