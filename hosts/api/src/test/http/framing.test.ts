import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('shared')
let tenant: TestTenant

beforeAll(async () => {
  tenant = await api.tenant()
})

/** Sends raw bytes. @returns everything that the server sends until it closes the connection */
async function answerTo(request: string, url = api.url): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  socket.write(request)
  await once(socket, 'close')
  return answer
}

const get = (headers: string, version = '1.1'): string =>
  `GET /v1/wallets HTTP/${version}\r\n${headers}X-API-Key: ${tenant.key}\r\n\r\n`
const codeOf = (answer: string): string => /"code":"(\w+)"/.exec(answer)?.[1] ?? ''
const refuses = (answer: string, field: string): void => {
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(codeOf(answer)).toBe('VALIDATION_FAILED')
  expect(answer).toContain(`"field":"${field}"`)
  expect(answer).toMatch(/^Connection: close\r$/m)
}

test.each([
  ['two', 'Host: a.example\r\nHost: b.example\r\n'],
  ['two that are equal', 'Host: a.example\r\nhost: a.example\r\n'],
  ['an empty one', 'Host:\r\n'],
  ['two names in one', 'Host: a.example, b.example\r\n'],
  ['two names without a blank', 'Host: a.example,b.example\r\n'],
  ['a path', 'Host: a.example/v1\r\n'],
  ['user information', 'Host: ana@a.example\r\n'],
  ['a scheme', 'Host: http://a.example\r\n'],
  ['a port that is none', 'Host: a.example:http\r\n'],
  ['a port beyond 65535', 'Host: a.example:65536\r\n'],
  ['a blank', 'Host: a example\r\n'],
  ['an unclosed bracket', 'Host: [::1\r\n'],
  ['brackets around a name', 'Host: [a.example]\r\n'],
  ['a letter beyond ASCII', 'Host: ñ.example\r\n'],
])('a request with Host that is %s: 400 that names it', async (_, headers) => {
  refuses(await answerTo(get(headers)), 'Host')
  refuses(await answerTo(get(headers), api.operatorUrl), 'Host')
})

test.each([
  'a.example',
  'A.EXAMPLE.',
  'localhost:4000',
  'my_container:80',
  '127.0.0.1:65535',
  '[::1]:4000',
  '[2001:db8::1]',
  'xn--a.example',
])('a request with Host %s is answered', async (host) => {
  const answer = await answerTo(get(`Connection: close\r\nHost: ${host}\r\n`))
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test.each(['2.0', '0.9'])('a request line of HTTP/%s is a 400 that names the request', async (version) => {
  refuses(await answerTo(get('Host: a.example\r\n', version)), 'request')
})

test('an HTTP/1.0 request needs no Host', async () => {
  expect(await answerTo(get('', '1.0'))).toMatch(/^HTTP\/1\.1 200 /)
})

const chunk = '2\r\n{}\r\n0\r\n\r\n'
const post = (headers: string, version = '1.1'): string =>
  `POST /v1/quotes HTTP/${version}\r\nHost: x\r\nContent-Type: application/json\r\n${headers}X-API-Key: ${tenant.key}\r\n\r\n${chunk}`

test.each([
  ['gzip before chunked', 'Transfer-Encoding: gzip, chunked\r\n'],
  ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
  ['identity before chunked', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n'],
  ['chunked with a parameter', 'Transfer-Encoding: chunked;q=1\r\n'],
  ['gzip', 'Transfer-Encoding: gzip\r\n'],
  ['identity', 'Transfer-Encoding: identity\r\n'],
  ['something unknown', 'Transfer-Encoding: xchunked\r\n'],
  ['none', 'Transfer-Encoding:\r\n'],
  ['chunked beside a length', 'Transfer-Encoding: chunked\r\nContent-Length: 12\r\n'],
])('a body with Transfer-Encoding %s: 400, and the connection is closed', async (_, headers) => {
  const answer = await answerTo(post(headers))
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(codeOf(answer)).toBe('VALIDATION_FAILED')
  expect(answer).toMatch(/^Connection: close\r$/m)
  expect(answer.match(/^HTTP/gm)).toHaveLength(1)
})

test('a chunked HTTP/1.0 body is a 400 that names Transfer-Encoding', async () => {
  refuses(await answerTo(post('Transfer-Encoding: chunked\r\n', '1.0')), 'Transfer-Encoding')
})

test.each(['chunked', 'Chunked', 'CHUNKED'])('Transfer-Encoding: %s is accepted', async (encoding) => {
  const answer = await answerTo(post(`Connection: close\r\nTransfer-Encoding: ${encoding}\r\n`))
  expect(answer).toContain('"field":"target"')
})
