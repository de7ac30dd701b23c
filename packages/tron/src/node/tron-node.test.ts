import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Unavailable } from '@quipu/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { startFixture } from '../devnet.fixture.ts'
import { type TronNode, unservedView } from './tron-node.ts'

const Named = z.object({ blockID: z.string() })
const askHead = (node: TronNode) => node.request('head', 'getblock', { detail: false }, Named)

test.each([403, 429, 503, 500, 502])('%i is retried with a backoff', async (status) => {
  const { devnet, node, waits } = await startFixture()
  devnet.addFaults({ kind: 'status', status, times: 3 })
  expect(await askHead(node)).toEqual({ blockID: devnet.head().id })
  expect(devnet.requests('getblock')).toHaveLength(4)
  expect(waits).toHaveLength(3)
  for (const [i, ms] of waits.entries()) {
    expect(ms).toBeGreaterThan(100 * 2 ** i)
    expect(ms).toBeLessThanOrEqual(250 * 2 ** i)
  }
})

test('a 200 with {"Error"} is an error, and retried if the node is busy', async () => {
  const { devnet, node } = await startFixture()
  devnet.addFaults({ kind: 'busy', times: 1 })
  expect(await askHead(node)).toEqual({ blockID: devnet.head().id })
  devnet.addFaults({ kind: 'busy' })
  await expect(askHead(node)).rejects.toThrow('lack of computing resources')
  expect(devnet.requests('getblock')).toHaveLength(2 + 4)
})

test('an invalid request is not retried', async () => {
  const { devnet, node } = await startFixture()
  const asked = node.request('head', 'getblock', { id_or_num: 'x' }, Named)
  await expect(asked).rejects.toThrow('IllegalArgumentException')
  expect(devnet.requests('getblock')).toHaveLength(1)
})

test('plain text of a lite node is an error', async () => {
  const { devnet, node } = await startFixture()
  const text = 'this API is closed because this node is a lite fullnode'
  devnet.addFaults({ kind: 'text', text })
  await expect(askHead(node)).rejects.toThrow(text)
  await expect(askHead(node)).rejects.toBeInstanceOf(Unavailable)
})

test('an invalid answer is an error', async () => {
  const { devnet, node } = await startFixture()
  devnet.addFaults({ kind: 'alter', at: '/blockID', to: 7 })
  await expect(askHead(node)).rejects.toThrow(/wallet\/getblock: invalid answer: .*blockID/s)
})

test('a lost connection and a lost answer are retried', async () => {
  const { devnet, node } = await startFixture()
  devnet.addFaults({ kind: 'drop', when: 'before', times: 1 }, { kind: 'drop', when: 'after', times: 1, after: 1 })
  expect(await askHead(node)).toEqual({ blockID: devnet.head().id })
})

test('a node that is down is Unavailable', async () => {
  const { devnet, node } = await startFixture()
  await devnet.setDown(true)
  await expect(askHead(node)).rejects.toThrow('chain unavailable: wallet/getblock: ECONNREFUSED')
})

test('a timeout is Unavailable', async () => {
  const { devnet, client, waits } = await startFixture()
  devnet.addFaults({ kind: 'hang', when: 'before' })
  const node = client({ timeoutMs: 20, attempts: 2 })
  await expect(askHead(node)).rejects.toThrow('TimeoutError')
  // On a busy machine an attempt may end before it arrives.
  expect(waits).toHaveLength(1)
})

test.each([
  ['getblockbynum', [20, 40, 80, 80]],
  ['gettransactioninfobyid', [20, 40, 80, 80]],
  ['getblock', [20, 20, 20, 20]],
])('the deadlines of attempts to %s that reach them', async (endpoint, expected) => {
  const { devnet, client } = await startFixture()
  devnet.addFaults({ kind: 'hang', when: 'before' })
  const deadlines = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => deadlines.mockRestore())
  const asked = client({ timeoutMs: 20 }).request('solid', endpoint, { num: 1 }, Named)
  await expect(asked).rejects.toThrow('TimeoutError')
  expect(deadlines.mock.calls).toEqual(expected.map((ms) => [ms]))
})

test('the deadline of a block stays after other failures', async () => {
  const { devnet, client } = await startFixture()
  devnet.addFaults({ kind: 'status', status: 500 })
  const deadlines = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => deadlines.mockRestore())
  const asked = client({ timeoutMs: 60_000 }).request('head', 'getblockbynum', { num: 1 }, Named)
  await expect(asked).rejects.toThrow('status 500')
  expect(deadlines.mock.calls).toEqual(Array.from({ length: 4 }, () => [60_000]))
})

test.each([404, 405])('%i names the prefix that the URL does not serve', async (status) => {
  const { devnet, node } = await startFixture()
  devnet.addFaults({ kind: 'status', status })
  const asked = node.request('solid', 'getblock', {}, Named)
  await expect(asked).rejects.toThrow(
    `walletsolidity/getblock: status ${status}: this URL serves no walletsolidity/ endpoints`,
  )
  expect(unservedView(await asked.catch((error: unknown) => error))).toBe('solid')
  expect(unservedView(await askHead(node).catch((error: unknown) => error))).toBe('head')
  expect(unservedView(new Unavailable('chain', 'stopped'))).toBeUndefined()
  expect(devnet.requests()).toHaveLength(2)
})

test('stop aborts running and later requests', async () => {
  const { devnet, node } = await startFixture()
  devnet.addFaults({ kind: 'hang', when: 'before' })
  const asked = Promise.allSettled([askHead(node)])
  await devnet.untilHanging(1)
  await node.stop()
  expect(await asked).toMatchObject([{ status: 'rejected', reason: { dependency: 'chain' } }])
  await expect(askHead(node)).rejects.toThrow('stopped')
})

test('stop aborts requests that wait for the rate limit', async () => {
  const { devnet, client } = await startFixture()
  const node = client({
    requestsPerSecond: 0.001,
    timer: () => ({ done: new Promise(() => undefined), cancel: () => undefined }),
  })
  await askHead(node)
  const asked = Promise.allSettled([askHead(node)])
  await node.stop()
  expect(await asked).toMatchObject([{ status: 'rejected', reason: { dependency: 'chain' } }])
  expect(devnet.requests('getblock')).toHaveLength(1)
})

test('requests keep the rate limit, and slow down after a rate-limit answer', async () => {
  const { devnet, client, waits } = await startFixture()
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  onTestFinished(() => stopped.mockRestore())
  const node = client({ requestsPerSecond: 2 })
  await Promise.all(Array.from({ length: 4 }, () => askHead(node)))
  const [third = 0, fourth = 0] = waits
  expect(waits).toHaveLength(2)
  expect(fourth - third).toBeCloseTo(500)
  devnet.addFaults({ kind: 'status', status: 429, times: 1 })
  await askHead(node)
  const [before = 0, after = 0] = waits.slice(2)
  expect(after).toBeGreaterThan(before)
})

test.each([
  [403, 2],
  [429, 2],
  [503, 2],
  [500, 1],
])('after a %i the next request waits only if the status is a rate limit', async (status, expected) => {
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  onTestFinished(() => stopped.mockRestore())
  const { devnet, node, waits } = await startFixture()
  devnet.addFaults({ kind: 'status', status, times: 1 })
  await askHead(node)
  await askHead(node)
  expect(waits).toHaveLength(expected)
})

test('the API key is sent to both nodes, below the path of each URL', async () => {
  const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
  const serve = async (): Promise<string> => {
    const server = createServer(({ url, headers }, response) => {
      seen.push({ url, headers })
      response.end(JSON.stringify({ blockID: 'x' }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const { client } = await startFixture()
  const full = `${await serve()}/a/`
  const solid = `${await serve()}/b`
  const node = client({ url: full, solidUrl: solid, apiKey: 'secret' })
  await node.request('head', 'getblock', {}, Named)
  await node.request('solid', 'getblock', {}, Named)
  expect(seen.map(({ url }) => url)).toEqual(['/a/wallet/getblock', '/b/walletsolidity/getblock'])
  expect(seen.map(({ headers }) => headers['tron-pro-api-key'])).toEqual(['secret', 'secret'])
  expect(seen.map(({ headers }) => `http://${headers.host}`)).toEqual([new URL(full).origin, new URL(solid).origin])
})
