import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Listener, listen } from './listener.ts'

const anywhere = { host: '127.0.0.1', port: 0 }

/** Sends the beginning of a request, and drips what follows. @returns all that is answered */
async function drip({ url }: Listener, beginning: string, drop: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answered = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answered += text))
  socket.on('error', () => undefined) // The last drops find nobody.
  socket.write(beginning)
  const dripping = setInterval(() => socket.write(drop), 20)
  await once(socket, 'close')
  clearInterval(dripping)
  return answered
}

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-More: x\r\n'],
  ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n', 'x'],
])('a sender that drips its %s is cut off when its time is over', async (_, beginning, drop) => {
  const patience = { headers: 200, request: 400 }
  const listener = await listen((req) => void req.resume(), anywhere, patience)
  const startedAt = performance.now()
  expect(await drip(listener, beginning, drop)).toMatch(/^HTTP\/1\.1 408 .*"REQUEST_TIMEOUT"/s)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  await listener.stop(1_000)
})
