import { once } from 'node:events'
import { createServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type CertifiedKey, selfSigned } from './certificate.fixture.ts'
import { requestTo, startReceiver, startSender } from './receiver.fixture.ts'
import { steppedTime, until } from './stepped-time.fixture.ts'

const here = () => Promise.resolve(['127.0.0.1'])

async function startHttps(
  certified: CertifiedKey,
  options: { readonly maxVersion?: 'TLSv1.1'; readonly ALPNProtocols?: string[] } = {},
): Promise<{ readonly server: HttpsServer; readonly port: number; readonly requests: string[] }> {
  const requests: string[] = []
  const legacy = options.maxVersion && { minVersion: options.maxVersion, ciphers: 'ALL:@SECLEVEL=0' }
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

test('accepts a certificate of a trusted authority for the name', async () => {
  const certified = selfSigned('hooks.example.com')
  const { server, port, requests } = await startHttps(certified)
  const names: unknown[] = []
  server.on('secureConnection', (socket) => names.push(socket.servername))
  const sender = startSender({ resolve: here, ca: certified.cert })
  const url = `https://hooks.example.com:${port}/`
  expect(await sender.send(requestTo(url))).toMatchObject({ statusCode: 200, excerpt: 'received' })
  expect(await sender.send(requestTo(url))).toMatchObject({ statusCode: 200, excerpt: 'received' })
  // The connection goes to the checked address; the handshake uses the name.
  expect(names).toEqual(['hooks.example.com'])
  expect(requests).toEqual([`hooks.example.com:${port}`, `hooks.example.com:${port}`])
})

test('speaks HTTP/1.1 with a receiver that prefers HTTP/2', async () => {
  const certified = selfSigned('hooks.example.com')
  const { server, port } = await startHttps(certified, { ALPNProtocols: ['h2', 'http/1.1'] })
  const protocols: unknown[] = []
  server.on('secureConnection', (socket) => protocols.push(socket.alpnProtocol))
  const sender = startSender({ resolve: here, ca: certified.cert })
  const result = await sender.send(requestTo(`https://hooks.example.com:${port}/`))
  expect(result).toMatchObject({ statusCode: 200, excerpt: 'received' })
  expect(protocols).toEqual(['http/1.1'])
})

test('a connection that is cut after the handshake is no fault of the certificate', async () => {
  const { server, port } = await startHttps(trusted)
  server.prependListener('request', ({ socket }) => void socket.destroy())
  const sender = startSender({ resolve: here, ca: trusted.cert })
  const result = await sender.send(requestTo(`https://hooks.example.com:${port}/`))
  expect(result).toMatchObject({ statusCode: null, error: 'CONNECTION_RESET' })
})

test('requests to a new origin do not wait for the handshake of the first', async () => {
  const { port, sockets } = await startReceiver((socket) => void socket.resume())
  const sender = startSender({ resolve: here })
  const url = `https://hooks.example.com:${port}/`
  const sending = [sender.send(requestTo(url)), sender.send(requestTo(url))]
  await until(() => sockets.length === 2)
  for (const socket of sockets) socket.destroy()
  expect((await Promise.all(sending)).map(({ error }) => error)).toEqual(['TLS', 'TLS'])
})

const trusted = selfSigned('hooks.example.com')
const expired = selfSigned('hooks.example.com', '210101000000Z')

test.each([
  ['that is self-signed', selfSigned('hooks.example.com'), undefined, 'hooks.example.com'],
  ['for another name', trusted, trusted.cert, 'other.example.com'],
  ['for a name, when the URL has the address', trusted, trusted.cert, '127.0.0.1'],
  ['that has expired', expired, expired.cert, 'hooks.example.com'],
])('a certificate %s is refused before anything is sent', async (_, certified, ca, host) => {
  const { port, requests } = await startHttps(certified)
  const sender = startSender({ resolve: here, ...(ca !== undefined && { ca }) })
  const result = await sender.send(requestTo(`https://${host}:${port}/`))
  expect(result).toMatchObject({ statusCode: null, error: 'TLS', excerpt: null })
  expect(requests).toEqual([])
})

test('obsolete versions of TLS are refused', async () => {
  const { port, requests } = await startHttps(trusted, { maxVersion: 'TLSv1.1' })
  const sender = startSender({ resolve: here, ca: trusted.cert })
  const result = await sender.send(requestTo(`https://hooks.example.com:${port}/`))
  expect(result).toMatchObject({ statusCode: null, error: 'TLS', excerpt: null })
  expect(requests).toEqual([])
})

test.each([
  [
    'answers the handshake with plain HTTP',
    (socket: Socket) => void socket.once('data', () => socket.write('HTTP/1.1 400 Bad\r\n\r\n')),
  ],
  ['resets the handshake', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
  ['closes the connection within the handshake', (socket: Socket) => void socket.once('data', () => socket.end())],
])('a receiver that %s is a TLS error, before any timeout', async (_, serve) => {
  const { port } = await startReceiver(serve)
  const sender = startSender({ resolve: here })
  steppedTime() // Without a step no timeout ends the attempt.
  const result = await sender.send(requestTo(`https://hooks.example.com:${port}/`))
  expect(result).toMatchObject({ statusCode: null, excerpt: null })
  expect(result.error).toBe('TLS')
  expect(result.latencyMs).toBe(0)
})

test.each([
  [
    'expects plain HTTP',
    (socket: Socket) =>
      void socket.on('data', (sent: Buffer) => {
        if (sent.includes(' HTTP/1.1\r\n')) socket.write('HTTP/1.1 200 OK\r\n\r\n')
      }),
  ],
  ['never answers the handshake', (socket: Socket) => void socket.resume()],
])('a receiver that %s times out', async (_, serve) => {
  const { port, sockets, received } = await startReceiver(serve)
  const sender = startSender({ resolve: here, timeoutMs: 60_000 })
  const step = steppedTime()
  const sending = sender.send(requestTo(`https://hooks.example.com:${port}/`))
  await until(() => received() !== '')
  await step(60_000)
  const result = await sending
  expect(result).toMatchObject({ statusCode: null, excerpt: null })
  expect(result.error).toBe('TIMEOUT')
  expect(result.latencyMs).toBe(60_000)
  for (const socket of sockets) socket.destroy() // Undici would wait for the handshake.
})
