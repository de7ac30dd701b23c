import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Unavailable } from '@quipu/core'
import { expect, onTestFinished, test } from 'vitest'
import { httpJsonRate, type HttpJsonRateOptions } from './http-json-rate.ts'

const now = (): Date => new Date('2026-01-01T00:00:00.000Z')
const seconds = now().getTime() / 1000

async function serving(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<string> {
  const server = createServer((request, response) => answer(response, request))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const sending = (body: string | Buffer): Promise<string> => serving((response) => response.end(body))

const source = (url: string, options: Partial<HttpJsonRateOptions> = {}) =>
  httpJsonRate({ url, bidPath: 'bid', now, ...options })

test.each([
  ['9.95', 99_500n],
  ['"9.95"', 99_500n],
  ['9.949999999999999999999', 99_499n],
  ['10', 100_000n],
  ['0.0001', 1n],
])('the bid %s is %s ten-thousandths', async (text, bid) => {
  const url = await sending(`{"bid":${text}}`)
  expect(await source(url).current()).toEqual({ bid, source: new URL(url).host, observedAt: now() })
})

test.each([
  ['binancep2p.bid', 'binancep2p.time', `{"binancep2p":{"bid":9.95,"time":${seconds - 60}}}`],
  ['compra', 'fechaActualizacion', '{"compra":9.95,"fechaActualizacion":"2025-12-31T23:59:00.000Z"}'],
  ['data.0.adv.price', 'data.0.at', `{"data":[{"adv":{"price":"9.95"},"at":${(seconds - 60) * 1000}}]}`],
])('reads %s at the time %s', async (bidPath, timePath, body) => {
  const reading = await source(await sending(body), { bidPath, timePath, name: 'x' }).current()
  const observedAt = new Date('2025-12-31T23:59:00.000Z')
  expect(reading).toEqual({ bid: 99_500n, source: 'x', observedAt })
})

test.each([
  ['0'],
  ['0.00009'],
  ['-9.95'],
  ['1e1'],
  ['"1e1"'],
  ['"9,95"'],
  ['" 9.95"'],
  ['"09.95"'],
  ['"NaN"'],
  ['1000000'],
  ['null'],
  ['true'],
  ['[9.95]'],
  ['{"bid":9.95}'],
])('the bid %s gives no rate', async (text) => {
  await expect(source(await sending(`{"bid":${text}}`)).current()).rejects.toThrow(Unavailable)
})

test.each([
  [-181, false],
  [-180, true],
  [0, true],
  [10, true],
  [11, false],
])('with a source time offset of %i s there is a rate: %s', async (offset, hasRate) => {
  const url = await sending(`{"bid":9.95,"time":${seconds + offset}}`)
  const asked = source(url, { timePath: 'time' }).current()
  if (hasRate) expect((await asked).observedAt).toEqual(new Date((seconds + offset) * 1000))
  else await expect(asked).rejects.toThrow(Unavailable)
})

test('the report has a reading that is too old, or the name of a source without one', async () => {
  const name = 'broker'
  const old = await sending(`{"bid":9.95,"time":${seconds - 181}}`)
  const [stale] = (await source(old, { timePath: 'time', name }).report()).sources
  expect(stale).toMatchObject({ name, reading: { bid: 99_500n } })
  expect(stale?.problem).toMatch(/^stale/)
  const [empty] = (await source(await sending(''), { name }).report()).sources
  expect(empty).toEqual({ name, reading: null, problem: 'no valid bid' })
})

test('a bid beside a text in ISO-8859-1 is read; a damaged bid is not', async () => {
  const body = '{"bid":9.95,"country":"Perú"}'
  expect(await source(await sending(Buffer.from(body, 'latin1'))).current()).toMatchObject({ bid: 99_500n })
  const damaged = Buffer.from('{"bid":"9.9ú"}', 'latin1')
  await expect(source(await sending(damaged)).current()).rejects.toThrow(Unavailable)
})

test('the maximum age can be set', async () => {
  const url = await sending(`{"bid":9.95,"time":${seconds - 3600}}`)
  const options = { timePath: 'time', staleSeconds: 3600 }
  expect(await source(url, options).current()).toMatchObject({ bid: 99_500n })
})

test.each([
  ['no time', '{"bid":9.95}'],
  ['a time without a zone', '{"bid":9.95,"time":"2026-01-01T00:00:00"}'],
  ['no JSON', '<html>'],
  ['nothing', ''],
  ['two values', '{"bid":9.95,"time":1767225600}{}'],
  ['nesting without end', '['.repeat(100_000)],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
])('an answer with %s gives no rate', async (_name, body) => {
  const asked = source(await sending(body), { timePath: 'time' }).current()
  await expect(asked).rejects.toThrow(Unavailable)
})

test.each([201, 204, 206, 301, 302, 307, 308, 400, 404, 429, 500, 503])(
  'status %i is Unavailable, and redirects are not followed',
  async (status) => {
    const asked: string[] = []
    const elsewhere = await serving((response) => {
      asked.push('elsewhere')
      response.end('{"bid":9.95}')
    })
    const url = await serving((response) => {
      response.writeHead(status, { location: elsewhere })
      response.end(status === 204 ? undefined : '{"bid":9.95}')
    })
    await expect(source(url).current()).rejects.toThrow(Unavailable)
    expect(asked).toEqual([])
  },
)

test('the size of an answer is limited, also if compressed', async () => {
  const body = `{"bid":9.95,"pad":"${'x'.repeat(1_000)}"}`
  const packed = gzipSync(body)
  const zipped = await serving((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed))
  for (const url of [await sending(body), zipped]) {
    const exactly = body.length
    expect(await source(url, { bytesMax: exactly }).current()).toMatchObject({ bid: 99_500n })
    await expect(source(url, { bytesMax: exactly - 1 }).current()).rejects.toThrow(Unavailable)
  }
})

test('an endless answer is aborted at the size limit', async () => {
  const url = await serving((response) => {
    const more = (): void => {
      while (response.write('x'.repeat(10_000)));
      response.once('drain', more)
    }
    more()
  })
  await expect(source(url).current()).rejects.toThrow(Unavailable)
})

test('a missing or incomplete answer is Unavailable at the deadline', async () => {
  const silent = await serving(() => {})
  const halting = await serving((response) => response.write('{"bid":9.95'))
  for (const url of [silent, halting]) {
    await expect(source(url, { timeoutMs: 50 }).current()).rejects.toThrow(Unavailable)
  }
})

test('a broken and a refused connection are Unavailable', async () => {
  const broken = await serving((response) => response.destroy())
  await expect(source(broken).current()).rejects.toThrow(Unavailable)
  await expect(source('http://127.0.0.1:1').current()).rejects.toThrow(Unavailable)
})

test('headers are sent with the request', async () => {
  const url = await serving((response, { headers }) => response.end(`{"bid":"${String(headers['x-api-key'])}"}`))
  const headers = { 'x-api-key': '9.95' }
  expect(await source(url, { headers }).current()).toMatchObject({ bid: 99_500n })
})
