import type { Socket } from 'node:net'
import { verifyWebhook } from '@quipu/core'
import { expect, test } from 'vitest'
import { startReceiver, startSender } from '../attempt/receiver.fixture.ts'
import { signedGateway } from './signed-gateway.ts'

const at = new Date('2026-11-20T10:00:00.000Z')
const secret = 'a secret of the gateway, and of nobody else'

/** The result of a message to a gateway that answers so. */
async function answered(serve: (socket: Socket) => void) {
  const receiver = await startReceiver((socket) => socket.once('data', () => serve(socket)))
  const settings = { name: 'the gateway', url: receiver.url, secret, headerPrefix: 'X-Service-' }
  const gateway = signedGateway(startSender({ timeoutMs: 300 }), settings, () => at)
  return { result: await gateway.post('alt_1.raised.0', { text: 'é' }), ...receiver }
}

const status = (line: string) => (socket: Socket) => void socket.end(`HTTP/1.1 ${line}\r\ncontent-length: 0\r\n\r\n`)

test('a message is signed as webhooks are, and named by its key', async () => {
  const { result, received } = await answered(status('202 Accepted'))
  expect(result).toEqual({ type: 'accepted' })
  const [head = '', body = ''] = received().split('\r\n\r\n')
  expect(head.toLowerCase()).toContain('\r\nidempotency-key: alt_1.raised.0')
  const [, signature = ''] = /\r\nx-service-signature: ([^\r]+)/i.exec(head) ?? []
  expect(verifyWebhook([secret], signature, Buffer.from(body, 'latin1'), at)).toBeNull()
})

test.each<[string, (socket: Socket) => void, string, string]>([
  ['redirects', status('302 Found\r\nlocation: http://127.0.0.1:1/'), 'failed', 'answered 302 (REDIRECT)'],
  ['refuses the message for ever', status('422 No'), 'refused', 'answered 422 (STATUS)'],
  ['does not know the signature', status('401 No'), 'failed', 'answered 401 (STATUS)'],
  ['never answers', () => undefined, 'failed', 'answered nothing (TIMEOUT)'],
  [
    'lies about the protocol',
    (socket) => void socket.end('SSH-2.0-x\r\n\r\n'),
    'failed',
    'answered nothing (PROTOCOL)',
  ],
])('a gateway that %s', async (_, serve, type, detail) => {
  const { result } = await answered(serve)
  expect(result).toEqual({ type, detail: `the gateway ${detail}` })
})

test('a huge answer of a gateway is accepted by its status, and not read to its end', async () => {
  const megabyte = Buffer.alloc(2 ** 20, 'x')
  const { result, sockets } = await answered((socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(megabyte));
    }
    socket.on('drain', pour)
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n')
    pour()
  })
  expect(result.type).toMatch(/accepted|failed/)
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
})
