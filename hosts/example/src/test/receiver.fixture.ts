import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Uint8Array }

/** A local receiver of webhooks, under two host names. */
export type Receiver = {
  urlAt(host: 'localhost' | '127.0.0.1', path: string): string
  readonly received: Received[]
  /** The status that it answers. */
  status: number
  /** Resolves when `count` requests have arrived. */
  until(count: number): Promise<void>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => void chunks.push(chunk))
    req.on('end', () => {
      const body = Uint8Array.from(Buffer.concat(chunks))
      receiver.received.push({ path: req.url ?? '', headers: req.headers, body })
      server.emit('received')
      res.statusCode = receiver.status
      res.end('ok')
    })
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    urlAt: (host, path) => `http://${host}:${port}${path}`,
    received: [],
    status: 200,
    until: async (count) => {
      while (receiver.received.length < count) await once(server, 'received')
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return receiver
}
