import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { WebhookRequest } from '@quipu/core/adapter'
import { onTestFinished } from 'vitest'
import { httpWebhookSender, type HttpWebhookSender, type WebhookSenderSettings } from './http-sender.ts'

/** A server that handles each connection with the test's function. */
export type Receiver = {
  readonly port: number
  readonly url: string
  /** The accepted connections. */
  readonly sockets: readonly Socket[]
  /** The bytes received on all of them. */
  received(): string
}

/** Listens on 127.0.0.1, and on ::1 if there is IPv6, until the test ends. */
export async function startReceiver(serve: (socket: Socket) => void): Promise<Receiver> {
  const sockets: Socket[] = []
  let text = ''
  const accept = (socket: Socket): void => {
    sockets.push(socket)
    // The tests write to closed connections.
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    serve(socket)
  }
  const [server, sibling] = [createServer(accept), createServer(accept)]
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await listensOn(sibling, port, '::1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    for (const each of [server, sibling]) each.close()
  })
  return { port, url: `http://127.0.0.1:${port}/hook?a=1`, sockets, received: () => text }
}

/** @returns whether the address is available */
async function listensOn(server: Server, port: number, host: string): Promise<boolean> {
  server.listen(port, host)
  return once(server, 'listening').then(
    () => true,
    () => false,
  )
}

/** A sender that may send to this machine, until the test ends. */
export function startSender(settings: WebhookSenderSettings = {}): HttpWebhookSender {
  const sender = httpWebhookSender({ allowPrivate: true, timeoutMs: 5_000, ...settings })
  onTestFinished(() => sender.stop())
  return sender
}

export const requestTo = (url: string): WebhookRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'X-Service-Event-Id': 'e1' },
  body: Buffer.from('{"id":"e1"}'),
})

/** Answers each request with the same text, once its body has arrived. */
export const answerEach =
  (text: string) =>
  (socket: Socket): void => {
    socket.on('data', (chunk) => {
      if (chunk.toString().endsWith('}')) socket.write(text)
    })
  }
