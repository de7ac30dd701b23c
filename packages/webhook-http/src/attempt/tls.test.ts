import { once } from 'node:events'
import { createServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type CertifiedKey, selfSigned } from './certificate.fixture.ts'
import { answerEach, requestTo, startReceiver, startSender } from './receiver.fixture.ts'

const here = () => Promise.resolve(['127.0.0.1'])

async function startHttps(
  certified: CertifiedKey,
  options: { readonly maxVersion?: 'TLSv1.1' } = {},
): Promise<{ readonly server: HttpsServer; readonly port: number; readonly requests: string[] }> {
  const requests: string[] = []
  const legacy = options.maxVersion && {
    minVersion: options.maxVersion,
    ciphers: 'ALL:@SECLEVEL=0',
  }
  const server = createServer({ ...certified, ...options, ...legacy }, (request, response) => {
    requests.push(String(request.headers.host))
    response.end('received')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port, requests }
}

test('a certificate for the name that an authority vouches for is good', async () => {
  const certified = selfSigned('hooks.example.com')
  const { server, port, requests } = await startHttps(certified)
  const names: unknown[] = []
  server.on('secureConnection', (socket) => names.push(socket.servername))
  const sender = startSender({ resolve: here, ca: certified.cert })
  const url = `https://hooks.example.com:${port}/`
  expect(await sender.send(requestTo(url))).toMatchObject({ statusCode: 200, excerpt: 'received' })
  expect(await sender.send(requestTo(url))).toMatchObject({ statusCode: 200, excerpt: 'received' })
  // The connection is to the address that was checked; the name stays what the handshake is about.
  expect(names).toEqual(['hooks.example.com'])
  expect(requests).toEqual([`hooks.example.com:${port}`, `hooks.example.com:${port}`])
})

const trusted = selfSigned('hooks.example.com')
const expired = selfSigned('hooks.example.com', '210101000000Z')

test.each([
  ['that it signed itself', selfSigned('hooks.example.com'), undefined, 'hooks.example.com'],
  ['for another name', trusted, trusted.cert, 'other.example.com'],
  ['for a name, reached by its address', trusted, trusted.cert, '127.0.0.1'],
  ['that has run out', expired, expired.cert, 'hooks.example.com'],
])('a certificate %s is refused before anything is sent', async (_, certified, ca, host) => {
  const { port, requests } = await startHttps(certified)
  const sender = startSender({ resolve: here, ...(ca !== undefined && { ca }) })
  const result = await sender.send(requestTo(`https://${host}:${port}/`))
  expect(result).toMatchObject({ statusCode: null, error: 'TLS', excerpt: null })
  expect(requests).toEqual([])
})

test('versions of TLS that are no longer safe are refused', async () => {
  const { port, requests } = await startHttps(trusted, { maxVersion: 'TLSv1.1' })
  const sender = startSender({ resolve: here, ca: trusted.cert })
  const result = await sender.send(requestTo(`https://hooks.example.com:${port}/`))
  expect(result).toMatchObject({ statusCode: null, error: 'TLS', excerpt: null })
  expect(requests).toEqual([])
})

test.each([
  // Which of the two it is depends on who was first, its answer or our handshake.
  ['speaks plain HTTP', answerEach('HTTP/1.1 200 OK\r\n\r\n'), 'TIMEOUT or TLS'],
  [
    'answers the handshake with plain HTTP',
    (socket: Socket) => void socket.once('data', () => socket.write('HTTP/1.1 400 Bad\r\n\r\n')),
    'TLS',
  ],
  [
    'resets the handshake',
    (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy()),
    'TLS',
  ],
  [
    'closes the connection amid the handshake',
    (socket: Socket) => void socket.once('data', () => socket.end()),
    'TLS',
  ],
  ['never answers the handshake', (socket: Socket) => void socket.resume(), 'TIMEOUT'],
])('a receiver that %s is given up in time', async (_, serve, error) => {
  const { port } = await startReceiver(serve)
  const sender = startSender({ resolve: here, timeoutMs: error === 'TLS' ? 20_000 : 300 })
  const result = await sender.send(requestTo(`https://hooks.example.com:${port}/`))
  expect(result).toMatchObject({ statusCode: null, excerpt: null })
  expect(error.split(' or ')).toContain(result.error)
  expect(result.latencyMs).toBeLessThan(5_000)
})
