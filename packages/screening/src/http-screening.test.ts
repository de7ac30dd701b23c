import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { type PublishedList, screeningContract } from '@quipu/contracts'
import { senderSubject, Unavailable } from '@quipu/core'
import { normalizedName } from '@quipu/core/adapter'
import { expect, onTestFinished, test } from 'vitest'
import { httpScreening } from './http-screening.ts'

type Asked = { readonly request_id: string; readonly kind: string; readonly texts: readonly string[] }
type Answering = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void

async function provider(answer: Answering, timeoutMs = 60_000) {
  const server = createServer((request, response) => {
    void json(request).then((asked) => answer(asked as Asked, response, request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/screen`
  const screening = httpScreening({ url, token: 'secret', timeoutMs })
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await screening.stop()
  })
  return screening
}

screeningContract('an HTTP provider', async (first) => {
  let current = first
  const screening = await provider(({ request_id, kind, texts }, response) => {
    const isFound = (entry: PublishedList['entries'][number]): boolean =>
      texts.some((text) =>
        kind === 'sender'
          ? entry.kind === 'address' && entry.text === text
          : entry.kind === 'name' && normalizedName(entry.text) === normalizedName(text),
      )
    const found = current.entries.find(isFound)
    const { list, version } = current
    const outcome = found ? { outcome: 'listed', reason: found.reason } : { outcome: 'clear' }
    response.end(JSON.stringify({ request_id, ...outcome, list, version }))
  })
  const publish = async (next: PublishedList): Promise<void> => void (current = next)
  return { screening, publish }
})

const clear = { outcome: 'clear', list: 'own', version: '1' }

test('the request has the token, the kind and the texts', async () => {
  const heard: unknown[] = []
  const screening = await provider((asked, response, { method, url, headers }) => {
    heard.push([method, url, headers.authorization, asked])
    response.end(JSON.stringify({ request_id: asked.request_id, ...clear }))
  })
  expect(await screening.screen(senderSubject('T1'))).toEqual(clear)
  const body = { request_id: expect.any(String), kind: 'sender', texts: ['T1'] }
  expect(heard).toEqual([['POST', '/v1/screen', 'Bearer secret', body]])
})

test.each<[string, (asked: Asked) => unknown]>([
  ['another request', () => ({ request_id: 'x', ...clear })],
  ['no request', () => clear],
  ['another outcome', ({ request_id }) => ({ request_id, ...clear, outcome: 'ok' })],
  ['a clear one with a reason', ({ request_id }) => ({ request_id, ...clear, reason: 'fraud' })],
  ['a listed one without a reason', ({ request_id }) => ({ request_id, ...clear, outcome: 'listed' })],
  ['no version', ({ request_id }) => ({ request_id, ...clear, version: '' })],
  ['no list', ({ request_id }) => ({ request_id, ...clear, list: 7 })],
  ['a huge answer', ({ request_id }) => ({ request_id, ...clear, more: 'x'.repeat(70_000) })],
  ['a list', () => [clear]],
  ['null', () => null],
])('an answer of %s is none', async (_, answer) => {
  const screening = await provider((asked, response) => response.end(JSON.stringify(answer(asked))))
  await expect(screening.screen(senderSubject('T1'))).rejects.toThrow(Unavailable)
})

test.each<[string, Answering]>([
  ['a status', (_, response) => response.writeHead(500).end('{}')],
  ['a redirect', (_, response) => response.writeHead(302, { location: '/' }).end()],
  ['no JSON', (_, response) => response.end('clear')],
  ['a broken connection', (_, response) => response.destroy()],
])('%s is no answer', async (_, answer) => {
  const screening = await provider(answer)
  await expect(screening.screen(senderSubject('T1'))).rejects.toThrow(Unavailable)
})

test('a late answer is none, and a doubled one is not the next request’s', async () => {
  const late = await provider(() => undefined, 50)
  await expect(late.screen(senderSubject('T1'))).rejects.toThrow('no answer within 50 ms')
  const doubled = await provider((asked, response) => {
    const body = JSON.stringify({ request_id: asked.request_id, ...clear, version: asked.texts[0] })
    const raw = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    response.socket?.write(raw + raw)
  })
  for (const text of ['T1', 'T2', 'T3'])
    expect(await doubled.screen(senderSubject(text))).toEqual({ ...clear, version: text })
})
