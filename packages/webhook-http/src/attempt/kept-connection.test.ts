import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { requestTo, startReceiver, startSender } from './receiver.fixture.ts'

const noContent = 'HTTP/1.1 204 No Content\r\n\r\n'

/** Serves the nth request of each connection, from 1, as the test says. */
const eachRequest =
  (serve: (socket: Socket, n: number) => void) =>
  (socket: Socket): void => {
    let n = 0
    socket.on('data', (chunk) => {
      if (chunk.toString().endsWith('}')) serve(socket, ++n)
    })
  }

const requestsIn = (received: string): number => received.split('POST ').length - 1

test('a kept connection that breaks before the answer costs no attempt', async () => {
  const receiver = await startReceiver(
    eachRequest((socket, n) => (n === 1 ? socket.write(noContent) : socket.resetAndDestroy())),
  )
  const sender = startSender()
  for (let time = 0; time < 3; time++)
    expect(await sender.send(requestTo(receiver.url))).toMatchObject({ statusCode: 204, error: null })
  expect(receiver.sockets.length).toBeGreaterThan(1)
})

test('a new connection that breaks is the receiver’s fault, and nothing is sent again', async () => {
  const receiver = await startReceiver(eachRequest((socket) => void socket.destroy()))
  const reset = { statusCode: null, error: 'CONNECTION_RESET' }
  expect(await startSender().send(requestTo(receiver.url))).toMatchObject(reset)
  expect(requestsIn(receiver.received())).toBe(1)
})

test('the second connection is the last one of the attempt', async () => {
  let isUp = true
  const receiver = await startReceiver(eachRequest((socket) => (isUp ? socket.write(noContent) : socket.destroy())))
  const sender = startSender()
  expect(await sender.send(requestTo(receiver.url))).toMatchObject({ statusCode: 204 })
  isUp = false
  expect(await sender.send(requestTo(receiver.url))).toMatchObject({ error: 'CONNECTION_RESET' })
  expect(requestsIn(receiver.received())).toBe(3)
})

test.each(['HTTP/1.1 2', 'HTTP/1.1 103 Early Hints\r\n\r\n'])(
  'a kept connection that breaks after %j is not replaced',
  async (begun) => {
    const receiver = await startReceiver(
      eachRequest((socket, n) => (n === 1 ? socket.write(noContent) : socket.end(begun))),
    )
    const sender = startSender()
    expect(await sender.send(requestTo(receiver.url))).toMatchObject({ statusCode: 204 })
    expect((await sender.send(requestTo(receiver.url))).statusCode).toBeNull()
    expect(requestsIn(receiver.received())).toBe(2)
  },
)

test('stopping waits for the second connection of an attempt', async () => {
  const second = Promise.withResolvers<Socket>()
  let connections = 0
  const receiver = await startReceiver((socket) => {
    const isFirst = ++connections === 1
    eachRequest((_, n) => {
      if (!isFirst) second.resolve(socket)
      else if (n === 1) socket.write(noContent)
      else socket.destroy()
    })(socket)
  })
  const sender = startSender()
  await sender.send(requestTo(receiver.url))
  const running = sender.send(requestTo(receiver.url))
  const socket = await second.promise
  let isStopped = false
  const stopped = sender.stop().then(() => (isStopped = true))
  await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  socket.write(noContent)
  expect(await running).toMatchObject({ statusCode: 204 })
  await stopped
})
