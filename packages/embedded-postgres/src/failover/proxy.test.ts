import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openProxy, type Proxy } from './proxy.ts'

/** A proxy in front of a server. */
async function proxyTo(serve: (socket: Socket) => unknown): Promise<Proxy> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await openProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await proxy.shut()
    server.close()
  })
  return proxy
}

const echoProxy = (): Promise<Proxy> => proxyTo((socket) => socket.pipe(socket))

async function client({ url }: Proxy): Promise<Socket & { received(): string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  return Object.assign(socket, { received: () => received })
}

const untilReceived = async (socket: Socket & { received(): string }, text: string) => {
  while (socket.received() !== text) await once(socket, 'data')
}

test('a connection that lost bytes stays silent after a black-out, and a later one works', async () => {
  const [proxy, other] = [await echoProxy(), await echoProxy()]
  const [lossy, pace] = [await client(proxy), await client(other)]
  proxy.blackOut()
  lossy.write('lost')
  // When this echo has arrived, the earlier bytes have reached their proxy.
  pace.write('pace')
  await untilReceived(pace, 'pace')

  proxy.endBlackOut()
  const fresh = await client(proxy)
  lossy.write('after')
  fresh.write('after')

  await untilReceived(fresh, 'after')
  expect(lossy.received()).toBe('')
  expect(lossy.destroyed).toBe(false)
})

test('delayed bytes arrive whole, in order and late', async () => {
  const proxy = await echoProxy()
  const socket = await client(proxy)
  proxy.delay(100)
  const sentAt = performance.now()
  for (const text of ['a', 'b', 'c']) socket.write(text)
  await untilReceived(socket, 'abc')
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(195) // Once in each direction.
})

test('delayed bytes arrive before the end of their connection', async () => {
  const proxy = await proxyTo((socket) => socket.on('data', (bytes) => socket.end(bytes)))
  const socket = await client(proxy)
  proxy.delay(30)
  socket.write('the last')
  await once(socket, 'close')
  expect(socket.received()).toBe('the last')
})
