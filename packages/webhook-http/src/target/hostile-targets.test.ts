import { expect, onTestFinished, test, vi } from 'vitest'
import { hostileAnswers, hostileHosts } from './hostile-targets.fixture.ts'
import { type HttpWebhookSender, httpWebhookSender, guardedSender } from '../attempt/http-sender.ts'
import { isPublicAddress } from './public-address.ts'
import { answerEach, requestTo, startReceiver } from '../attempt/receiver.fixture.ts'
import type { ResolveName } from './resolve-name.ts'

const ok = answerEach('HTTP/1.1 204 No Content\r\n\r\n')
const blocked = { statusCode: null, error: 'ADDRESS_BLOCKED', excerpt: null }

/** A sender that accepts every URL, and checks the address of each connection. */
function startGuarded(
  resolve: ResolveName,
  isAllowed: (address: string) => boolean = isPublicAddress,
): HttpWebhookSender {
  const parse = (text: string): URL => new URL(text)
  const sender = guardedSender({ parse, isAllowed }, { resolve, timeoutMs: 5_000 })
  onTestFinished(() => sender.stop())
  return sender
}

const noLookup: ResolveName = () => Promise.reject(new Error('no name may be resolved'))

test('without the guard the loopback hosts reach the receiver', async () => {
  const { port, sockets } = await startReceiver(ok)
  const sender = startGuarded(noLookup, () => true)
  const loopback = hostileHosts.filter((host) => new URL(`http://${host}/`).hostname === '127.0.0.1')
  expect(loopback.length).toBeGreaterThan(12)
  for (const host of loopback) {
    const result = await sender.send(requestTo(`http://${host}:${port}/`))
    expect(result, host).toMatchObject({ statusCode: 204, error: null })
  }
  expect(sockets.length).toBeGreaterThan(0)
})

test('the connector blocks each hostile address, on both schemes, before a connection', async () => {
  const { port, sockets } = await startReceiver(ok)
  const sender = startGuarded(noLookup)
  for (const scheme of ['http', 'https'])
    for (const host of hostileHosts) {
      const result = await sender.send(requestTo(`${scheme}://${host}:${port}/`))
      expect(result, host).toMatchObject(blocked)
    }
  expect(sockets).toHaveLength(0)
})

test('the connector blocks each hostile result of a resolver, on both schemes, before a connection', async () => {
  const { port, sockets } = await startReceiver(ok)
  for (const answer of hostileAnswers) {
    const sender = startGuarded(() => Promise.resolve(answer))
    for (const scheme of ['http', 'https']) {
      const result = await sender.send(requestTo(`${scheme}://hooks.example.com:${port}/`))
      expect(result, answer.join()).toMatchObject(blocked)
    }
  }
  expect(sockets).toHaveLength(0)
})

test('the rules of registration apply to every attempt, before a lookup or a connection', async () => {
  const { port, sockets } = await startReceiver(ok)
  const resolve = vi.fn(noLookup)
  const sender = httpWebhookSender({ resolve })
  onTestFinished(() => sender.stop())
  const urls = [
    ...hostileHosts.map((host) => `https://${host}/`),
    `http://hooks.example.com/`,
    `https://hooks.example.com:${port}/`,
    'https://8.8.8.8@127.0.0.1/',
    'https://localhost/',
    'not a URL',
  ]
  for (const url of urls) expect(await sender.send(requestTo(url)), url).toEqual({ ...blocked, latencyMs: 0 })
  expect(resolve).not.toHaveBeenCalled()
  expect(sockets).toHaveLength(0)
})

test('a name is resolved once for a connection, which goes to the checked address', async () => {
  const { port, sockets } = await startReceiver(ok)
  const resolve = vi.fn<ResolveName>().mockResolvedValueOnce(['127.0.0.1']).mockResolvedValue(['127.0.0.2'])
  const checked: string[] = []
  const sender = startGuarded(resolve, (address) => {
    checked.push(address)
    return address === '127.0.0.1'
  })
  const url = `http://rebinding.example.com:${port}/`
  for (let request = 0; request < 3; request += 1)
    expect(await sender.send(requestTo(url))).toMatchObject({ statusCode: 204 })
  expect(sockets).toHaveLength(1)
  expect(checked).toEqual(['127.0.0.1'])
  expect(resolve).toHaveBeenCalledOnce()
})

test('a name that resolves to a blocked address is blocked at its next connection', async () => {
  const { port, sockets } = await startReceiver(
    answerEach('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  )
  const resolve = vi.fn<ResolveName>().mockResolvedValueOnce(['127.0.0.1']).mockResolvedValue(['127.0.0.2'])
  const sender = startGuarded(resolve, (address) => address === '127.0.0.1')
  const url = `http://rebinding.example.com:${port}/`
  expect(await sender.send(requestTo(url))).toMatchObject({ statusCode: 200, error: null })
  expect(await sender.send(requestTo(url))).toMatchObject(blocked)
  expect(sockets).toHaveLength(1)
})

test('connects to the next address when one refuses', async () => {
  const { port, sockets } = await startReceiver(ok)
  const addresses = ['127.0.0.3', '127.0.0.1']
  const sender = startGuarded(
    () => Promise.resolve(addresses),
    (address) => addresses.includes(address),
  )
  const result = await sender.send(requestTo(`http://both.example.com:${port}/`))
  expect(result).toMatchObject({ statusCode: 204 })
  expect(sockets.map(({ localAddress }) => localAddress)).toEqual(['127.0.0.1'])
})

test.each([
  ['does not resolve', () => Promise.reject(new Error('SERVFAIL'))],
  ['has no address', () => Promise.resolve([])],
])('a name that %s is NAME_NOT_FOUND', async (_, resolve) => {
  const result = await startGuarded(resolve).send(requestTo('https://gone.example.com/'))
  expect(result).toMatchObject({ statusCode: null, error: 'NAME_NOT_FOUND', excerpt: null })
})
