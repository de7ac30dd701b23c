import { once } from 'node:events'
import { connect } from 'node:net'
import { damagedBytes, damageKinds } from '@quipu/simulators'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant

beforeAll(async () => {
  tenant = await api.tenant()
})

/** Sends bytes and ends the sending side. @returns everything that the server sends until it closes the connection */
async function answerTo(request: Uint8Array): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
  socket.on('error', () => undefined) // A reset, after bytes that the server does not read.
  socket.end(request)
  await once(socket, 'close')
  return answer
}

const quoteBody = '{"target":{"currency":"BOB","amount":"100.00"}}'
const head = (line: string): string => `${line} HTTP/1.1\r\nHost: a.example\r\nX-API-Key: ${tenant.key}\r\n`
const json = 'Content-Type: application/json\r\n'
const read = (): string => `${head('GET /v1/wallets')}\r\n`
const quote = (): string => `${head('POST /v1/quotes')}${json}Content-Length: ${quoteBody.length}\r\n\r\n${quoteBody}`
const chunked = (): string =>
  `${head('POST /v1/quotes')}${json}Transfer-Encoding: chunked\r\n\r\n${quoteBody.length.toString(16)}\r\n${quoteBody}\r\n0\r\n\r\n`

const damages = fc.array(fc.record({ kind: fc.constantFrom(...damageKinds), at: fc.nat(2_000), value: fc.nat(255) }), {
  maxLength: 3,
})
/** Requests of clients, proxies and attackers that no random byte makes. */
const changes: readonly ((request: string) => string)[] = [
  (request) => request,
  (request) => request.replaceAll('\r\n', '\n'),
  (request) => request.replaceAll('\r\n', '\r'),
  (request) => request.replace('\r\n', '\r\n\r\n'),
  (request) => request.replace('Host:', 'Host :'),
  (request) => request.replace('Host:', ' Host:'),
  (request) => request.replace('\r\n', '\r\nHost: b.example\r\n'),
  (request) => request.replace('\r\n', '\r\nX-API-Key: other\r\n'),
  (request) => request.replace('\r\n', '\r\nContent-Length: 5\r\n'),
  (request) => request.replace('\r\n', '\r\nContent-Length: -1\r\n'),
  (request) => request.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n'),
  (request) => request.replace('\r\n', `\r\nX-Long: ${'x'.repeat(40_000)}\r\n`),
  (request) => request.replace('\r\n', `\r\n${'X-Many: 1\r\n'.repeat(2_000)}`),
  (request) => request.replace('HTTP/1.1', 'HTTP/1.0'),
  (request) => request.replace('HTTP/1.1', 'HTTP/3'),
  (request) => request.replace('/v1/', 'http://b.example/v1/'),
  (request) => request.replace('/v1/', `/v1/${'a'.repeat(20_000)}`),
  (request) => request.replace(/Content-Length: (\d+)/, 'Content-Length: 9$1'),
  (request) => request.replace(/Content-Length: \d/, 'Content-Length: '),
  (request) => request.replace('2f\r\n', 'fffffffffffffffff\r\n'),
  (request) => `\r\n\r\n${request}`,
  (request) => request.toLowerCase(),
]

test('any bytes get answers of the API, one a request, and no error of the server', async () => {
  const request = fc.constantFrom(read, quote, chunked)
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...changes),
      damages,
      async (requests, change, bytes) => {
        const text = requests.map((make) => make()).join('')
        const answer = await answerTo(damagedBytes(Buffer.from(change(text), 'latin1'), bytes))
        const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status))
        expect(answer === '' || answer.startsWith('HTTP/1.1 ')).toBe(true)
        // A change and each damage can split a request in two.
        expect(statuses.length).toBeLessThanOrEqual(2 * requests.length + bytes.length)
        for (const status of statuses) expect([100, 200, 201, 400, 401, 404, 405, 413, 415, 431]).toContain(status)
        expect(answer.match(/"error":/g) ?? []).toHaveLength(statuses.filter((status) => status >= 400).length)
      },
    ),
    { numRuns: 600, seed: 25 },
  )
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200)
  const lines = api.lines() as readonly { readonly level: number }[]
  expect(lines.filter(({ level }) => level >= 50)).toEqual([])
  expect(JSON.stringify(lines)).not.toContain(tenant.key)
})
